// Keeps a page of the club up to date, and says how long ago the last entries were.

import { follow } from "/live.js";

const lost = document.getElementById("lost");

function ago(seconds) {
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  return null; // the time of day says more
}

function tick() {
  const now = Date.now() / 1000;
  for (const time of document.querySelectorAll("time[data-at]")) {
    time.dataset.clock ??= time.textContent;
    const words = ago(Math.max(0, Math.round(now - Number(time.dataset.at)))) ?? time.dataset.clock;
    if (time.textContent !== words) time.textContent = words;
  }
}

// What somebody is typing survives the part that replaces it.

let typed = new Map();
let focused = "";
let caret = null; // begin and end of what is marked in the focused field; null for a field that marks nothing

function fields() {
  return [...document.querySelectorAll("main form :is(input, textarea, select, button):not([type=hidden])")];
}

// A field keeps its name while its form asks for the same: of the same round and table, for the first time or corrected.
function nameOf(field) {
  const hidden = [...field.form.querySelectorAll("[type=hidden]")].map((one) => `${one.name}=${one.value}`);
  return [field.form.action, ...hidden, field.name || field.textContent].join(" ");
}

function changed(field) {
  if (field.type === "checkbox") return field.checked !== field.defaultChecked;
  if (field.tagName === "SELECT") return [...field.options].some((one) => one.selected !== one.defaultSelected);
  return field.tagName !== "BUTTON" && field.value !== field.defaultValue;
}

function keep() {
  typed = new Map(fields().filter(changed).map((one) => [nameOf(one), [one.value, one.checked]]));
  const active = document.activeElement;
  focused = active?.form ? nameOf(active) : "";
  caret = Number.isInteger(active?.selectionStart) ? [active.selectionStart, active.selectionEnd] : null;
}

function putBack() {
  for (const field of fields()) {
    const name = nameOf(field);
    if (typed.has(name)) [field.value, field.checked] = typed.get(name);
    if (name !== focused || document.activeElement === field) continue;
    field.focus();
    if (caret) field.setSelectionRange(...caret);
  }
  tick();
}

if (document.body.dataset.live) {
  follow(document.body.dataset.live, putBack, (gone) => { lost.hidden = !gone; }, { before: keep });
}
tick();
setInterval(tick, 1000);
