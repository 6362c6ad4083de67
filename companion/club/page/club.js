// Keeps a page of the club up to date, says how long ago the last entries were, and sounds when a table calls.

import { follow } from "/live.js";

const lost = document.getElementById("lost");

function ago(seconds) {
  const words = document.body.dataset;
  if (seconds < 60) return words.seconds.replace("%", seconds);
  if (seconds < 3600) return words.minutes.replace("%", Math.floor(seconds / 60));
  return null; // the time of day says more
}

function left(seconds) {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function write(element, words) {
  if (element.textContent !== words) element.textContent = words;
}

function tick() {
  const now = Date.now() / 1000;
  for (const time of document.querySelectorAll("time[data-at]")) {
    if (!time.dataset.clock) time.dataset.clock = time.textContent;
    write(time, ago(Math.max(0, Math.round(now - Number(time.dataset.at)))) || time.dataset.clock);
  }
  for (const time of document.querySelectorAll("time[data-until]")) {
    const seconds = Math.round(Number(time.dataset.until) - now);
    write(time, seconds > 0 ? left(seconds) : time.dataset.over);
    if (!seconds) fit();
  }
}

// What somebody is typing survives the part that replaces it.

let typed = new Map();
let focused = "";
let caret = null; // begin and end of what is marked in the focused field; null for a field that marks nothing
let open = new Set(); // the ids of the rows whose details are open

function fields() {
  const kinds = "input:not([type=hidden]):not([type=file]), textarea, select, button";
  return [...document.querySelectorAll("main form")].flatMap((form) => [...form.querySelectorAll(kinds)]);
}

// A field keeps its name while its form asks for the same: of the same round and table, for the first time or corrected.
// Points are those of a player, also if somebody else leaves the table.
function nameOf(field) {
  const hidden = [...field.form.querySelectorAll("[type=hidden]:not([name=players])")];
  const same = hidden.map((one) => `${one.name}=${one.value}`);
  return [field.form.action, ...same, field.dataset.player || field.name || field.textContent].join(" ");
}

function changed(field) {
  if (field.type === "checkbox") return field.checked !== field.defaultChecked;
  if (field.tagName === "SELECT") return [...field.options].some((one) => one.selected !== one.defaultSelected);
  return field.tagName !== "BUTTON" && field.value !== field.defaultValue;
}

function keep() {
  typed = new Map(fields().filter(changed).map((one) => [nameOf(one), [one.value, one.checked]]));
  const active = document.activeElement;
  focused = active && active.form ? nameOf(active) : "";
  caret = active && Number.isInteger(active.selectionStart) ? [active.selectionStart, active.selectionEnd] : null;
  open = new Set([...document.querySelectorAll("tr details[open]")].map((one) => one.closest("tr").id));
}

function putBack() {
  for (const field of fields()) {
    const name = nameOf(field);
    if (typed.has(name)) [field.value, field.checked] = typed.get(name);
    if (name !== focused || document.activeElement === field) continue;
    field.focus();
    if (caret) field.setSelectionRange(...caret);
  }
  for (const details of document.querySelectorAll("tr details")) {
    if (open.has(details.closest("tr").id)) details.open = true;
  }
  tick();
  call();
  fit();
}

// The projector's letters are as large as the window allows: small ones stand in three columns.
function fit() {
  const shown = document.querySelector(".projector");
  if (!shown) return;
  const page = document.documentElement;
  const wide = (element) => element.scrollWidth > element.clientWidth + 1;
  const over = () => page.scrollHeight > innerHeight || wide(page) || [...shown.querySelectorAll("li")].some(wide);
  for (let size = 4.2; size > 0.8; size -= 0.2) {
    shown.style.fontSize = `${size}vw`;
    shown.classList.toggle("many", size < 2.4);
    if (!over()) return;
  }
}

// Somebody goes on where they were: in a part that was closed, or at the next result that nobody has typed.
function goOn() {
  const wanted = document.getElementById(location.hash.slice(1));
  if (!wanted) return;
  if (wanted.tagName === "DETAILS") {
    wanted.open = true;
    wanted.scrollIntoView();
  } else if (document.body.dataset.directs) {
    const empty = [...document.querySelectorAll("tr.look .points")].filter((one) => !one.value);
    const later = empty.find((one) => wanted.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING);
    if (empty.length) (later || empty[0]).focus();
  }
}

// While the program does not answer, a form stays as it is: the browser's own page would take it away.
async function hold(event) {
  if (!lost || lost.hidden) return;
  event.preventDefault();
  try {
    await fetch(location.pathname, { method: "HEAD" });
  } catch (error) {
    return; // the page says so
  }
  lost.hidden = true;
  event.target.requestSubmit(event.submitter);
}

// A director hears and sees in the title that tables call.

const title = document.title;
let calls = 0;
let sound = null;

function beep() {
  if (!sound || sound.state !== "running") return;
  for (const at of [0, 0.25, 0.5]) {
    const tone = sound.createOscillator();
    const loud = sound.createGain();
    loud.gain.value = 0.2;
    tone.frequency.value = 880;
    tone.connect(loud);
    loud.connect(sound.destination);
    tone.start(sound.currentTime + at);
    tone.stop(sound.currentTime + at + 0.12);
  }
}

function call() {
  const shown = document.querySelector("[data-calls]");
  const now = shown && document.body.dataset.directs ? Number(shown.dataset.calls) : 0;
  if (now > calls) beep();
  calls = now;
  document.title = now ? `(${now}) ${title}` : title;
}

// A browser lets a page sound once somebody has touched it.
for (const kind of ["pointerdown", "keydown"]) {
  document.addEventListener(kind, () => {
    const Sound = window.AudioContext || window.webkitAudioContext;
    if (!Sound) return;
    if (!sound) sound = new Sound();
    sound.resume();
  });
}

// A list of players from a spreadsheet goes as its bytes: the program finds out its encoding.

const file = document.getElementById("file");

async function send() {
  const form = file.form;
  const late = form.elements.late.checked ? "&late=yes" : "";
  const path = `/evening/file?evening=${encodeURIComponent(form.elements.evening.value)}${late}`;
  const answer = await fetch(path, { method: "POST", headers: { "Content-Type": "text/csv" }, body: file.files[0] });
  const refusal = document.getElementById("refusal");
  file.value = "";
  refusal.textContent = answer.ok ? "" : await answer.text();
  refusal.hidden = answer.ok;
  file.closest("label").after(refusal); // where somebody looks who has chosen a file
  if (!answer.ok) refusal.scrollIntoView({ block: "center" });
}

if (file) file.addEventListener("change", send);

if (document.body.dataset.live) {
  follow(document.body.dataset.live, putBack, (gone) => { lost.hidden = !gone; }, { before: keep });
}
tick();
call();
fit();
addEventListener("load", goOn); // earlier, the browser would take the focus away again
addEventListener("resize", fit);
addEventListener("submit", hold);
setInterval(tick, 1000);
