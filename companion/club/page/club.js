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

function fields() {
  return [...document.querySelectorAll("main form :is(input, textarea):not([type=hidden])")];
}

function nameOf(field) {
  const { action, elements } = field.form;
  return [action, elements.namedItem("table")?.value, field.name].join(" ");
}

function keep() {
  typed = new Map(fields().filter((one) => one.value !== one.defaultValue).map((one) => [nameOf(one), one.value]));
  focused = document.activeElement?.form ? nameOf(document.activeElement) : "";
}

function putBack() {
  for (const field of fields()) {
    const name = nameOf(field);
    if (typed.has(name)) field.value = typed.get(name);
    if (name === focused && document.activeElement !== field) field.focus();
  }
  tick();
}

if (document.body.dataset.live) {
  follow(document.body.dataset.live, putBack, (gone) => { lost.hidden = !gone; }, keep);
}
tick();
setInterval(tick, 1000);
