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

if (document.body.dataset.live) {
  follow(document.body.dataset.live, tick, (gone) => { lost.hidden = !gone; });
}
tick();
setInterval(tick, 1000);
