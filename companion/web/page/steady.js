// Keeps cards at their place, and knows which buttons have just changed theirs: a second tap of a finger that meets
// another button there does not count.

export const NEW_FOR = 400; // ms that a button which has just come, or has moved, does not count
const TAPPED_FOR = 500; // ms that a tapped button does not count again

const main = document.querySelector("main");
const waiting = new Map(); // the buttons that do not count yet: their timers, by their names
let before = new Map(); // where each button was before the page changed, by its name
let latest = 0; // when a button was tapped last

function nameOf(button) {
  const { choice, gone, step } = button.dataset;
  const beside = button.closest(".beside") ? " beside" : "";
  return `${choice || gone || step || button.getAttribute("href") || button.className}${beside}`;
}

// Rows that open a page are links, and count as buttons do.
function buttons() {
  return [...main.querySelectorAll("button, a.row")].filter((button) => button.offsetParent);
}

function places() {
  return new Map(buttons().map((button) => {
    const box = button.getBoundingClientRect();
    const gone = "gone" in button.dataset ? "gone " : "";
    return [nameOf(button), gone + [box.left, box.top, box.width, box.height].map(Math.round).join()];
  }));
}

// Where cards stand for as long as the same rows of cards are asked for: never higher than before.
let rows = "";
let lowest = 0;

function keepCardsInPlace() {
  const suits = [...main.querySelectorAll("#ask .suit:not(.beside)")];
  const round = main.querySelectorAll("#ask table, #ask .check").length; // its figures stand above, and a question
  const shape = [window.innerWidth, round, ...suits.map((suit) => suit.getAttribute("aria-label").split(",")[0])].join();
  main.style.setProperty("--lower", "0px");
  const answers = main.querySelector("#ask .answers");
  if (!answers.offsetParent) return; // cards that are hidden have no place
  const top = suits.length > 0 ? answers.getBoundingClientRect().top - main.getBoundingClientRect().top : 0;
  if (shape !== rows) [rows, lowest] = [shape, top];
  lowest = Math.max(lowest, top);
  main.style.setProperty("--lower", `${lowest - top}px`);
}

// Remember where the buttons are. Call it before the page changes.
export function remember() {
  before = places();
}

// Find the buttons that are new or have moved; all of them, if they stand for another question than before.
export function settle(all) {
  keepCardsInPlace();
  const ms = Math.max(NEW_FOR, latest + TAPPED_FOR - Date.now()); // a second tap may be that late
  for (const [name, place] of places()) {
    if (before.size > 0 && (all || before.get(name) !== place)) wait(name, ms);
  }
  mark();
}

// Let a button not count for a while; not for less than it waits already.
function wait(name, ms) {
  const end = Date.now() + ms;
  const other = waiting.get(name);
  if (other && other.end > end) return;
  if (other) clearTimeout(other.timer);
  const timer = setTimeout(() => { waiting.delete(name); mark(); }, ms);
  waiting.set(name, { end, timer });
}

function mark() {
  for (const button of buttons()) {
    if (waiting.has(nameOf(button))) button.setAttribute("aria-disabled", "true");
    else button.removeAttribute("aria-disabled");
  }
}

// Return whether a tap on a button counts now.
export function counts(button) {
  return !waiting.has(nameOf(button));
}

// Note a tap that counts.
export function tapped(button) {
  latest = Date.now();
  wait(nameOf(button), TAPPED_FOR);
}
