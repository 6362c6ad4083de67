// Keeps cards at their place, and knows which buttons have just changed theirs: a second tap of a finger that meets
// another button there does not count.

export const NEW_FOR = 400; // ms that a button which has just come, or has moved, does not count
const TAPPED_FOR = 500; // ms that a tapped button does not count again

const main = document.querySelector("main");
// What means the same whoever has answered: it opens a screen or a page, or sends nothing.
const LASTS = '[data-choice="menu"], [data-choice="entries"], [data-choice^="round "], .row, .gone, .mode, .pairs, .to, .close';

const waiting = new Map(); // the buttons that do not count yet, by their names: until when, and whether others answered
let before = new Map(); // where each button was before the page changed, and what was written on it, by its name
let waited = false; // whether a player's phone was not asked before the page changed
let latest = 0; // when a button was tapped last
let tappedAt = ""; // and where it was

function nameOf(button) {
  const { choice, gone, step } = button.dataset;
  const beside = button.closest(".beside") ? " beside" : "";
  return `${choice || gone || step || button.getAttribute("href") || button.className}${beside}`;
}

// Rows that open a page are links, and count as buttons do.
function buttons() {
  return [...main.querySelectorAll("button, a.row")].filter((button) => button.offsetParent);
}

function placeOf(button) {
  const box = button.getBoundingClientRect();
  return [box.left, box.top, box.width, box.height].map(Math.round).join();
}

// Where a button is, and whether it is the gap of a card.
function stand(button) {
  return `${"gone" in button.dataset ? "gone " : ""}${placeOf(button)}`;
}

// What is written on a button; a number in its corner may change.
function label(button) {
  return button.matches('[data-choice="menu"]') ? "" : button.getAttribute("aria-label") || button.textContent.trim();
}

// Where cards stand for as long as the same rows of cards are asked for: never higher than before.
let rows = "";
let lowest = 0;
let hand = new Map(); // where each of these cards stood when it was seen last

function keepCardsInPlace() {
  const suits = [...main.querySelectorAll("#ask .suit:not(.beside)")];
  const round = main.querySelectorAll("#ask table, #ask .check").length; // its figures stand above, and a question
  const shape = [window.innerWidth, round, ...suits.map((suit) => suit.getAttribute("aria-label").split(",")[0])].join();
  main.style.setProperty("--lower", "0px");
  const answers = main.querySelector("#ask .answers");
  if (!answers.offsetParent) return; // cards that are hidden have no place
  const top = suits.length > 0 ? answers.getBoundingClientRect().top - main.getBoundingClientRect().top : 0;
  if (shape !== rows) [rows, lowest, hand] = [shape, top, new Map()];
  lowest = Math.max(lowest, top);
  main.style.setProperty("--lower", `${lowest - top}px`);
}

// Remember where the buttons are. Call it before the page changes.
export function remember() {
  before = new Map(buttons().map((button) => [nameOf(button), [stand(button), label(button)]]));
  waited = main.classList.contains("waits") && document.body.classList.contains("role-seat");
}

// Find the buttons that are new or have moved; and, once `others` have answered, those that would answer another question
// than before. A player's own cards wait for no one: that player was not asked before.
export function settle(others) {
  keepCardsInPlace();
  const ms = Math.max(NEW_FOR, latest + TAPPED_FOR - Date.now()); // a second tap may be that late
  for (const button of buttons()) {
    const name = nameOf(button);
    const [stood, said] = before.get(name) || [];
    const place = stand(button);
    const same = others ? button.matches(LASTS) && said === label(button) : true;
    const own = others && waited && button.matches(".card") && hand.get(name) === place;
    if (before.size > 0 && !own && !(same && stood === place)) wait(name, ms, others);
    if (button.matches(".card")) hand.set(name, place);
  }
  mark();
}

// Let a button not count for a while; not for less than it waits already.
function wait(name, ms, others = false) {
  const end = Date.now() + ms;
  const other = waiting.get(name);
  if (other && other.end > end) return;
  if (other) clearTimeout(other.timer);
  const timer = setTimeout(() => { waiting.delete(name); mark(); }, ms);
  waiting.set(name, { end, timer, others });
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

// Return whether a tap on a button that waits was meant for the question that others have answered: not if it is the
// second one of a finger.
export function tooLate(button) {
  const { others } = waiting.get(nameOf(button)) || {};
  return Boolean(others) && !(placeOf(button) === tappedAt && Date.now() < latest + TAPPED_FOR);
}

// Note a tap that counts.
export function tapped(button) {
  latest = Date.now();
  tappedAt = placeOf(button);
  wait(nameOf(button), TAPPED_FOR);
}
