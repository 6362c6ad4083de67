// The wall: shows what the stream brings. The room's light is chosen here, and kept.

import { follow } from "/live.js";

// ---- dark, unless somebody chose bright: by the switch, or by the address

const page = document.documentElement;
const light = document.getElementById("light");

function choose(chosen) {
  page.dataset.light = chosen;
  try { localStorage.setItem("wall", chosen); } catch (error) { /* then it is dark again next time */ }
}

function kept() {
  try { return localStorage.getItem("wall"); } catch (error) { return null; }
}

const asked = new URLSearchParams(location.search).get("light");
if (/^(bright|dark)$/.test(asked)) choose(asked);
else page.dataset.light = kept() === "bright" ? "bright" : "dark";

light.hidden = false;
light.addEventListener("click", () => choose(page.dataset.light === "bright" ? "dark" : "bright"));
// the first key of a remote finds the switch, the next presses it
document.addEventListener("keydown", (event) => {
  if (!/^(Enter|Arrow\w+)$/.test(event.key) || document.activeElement === light) return;
  event.preventDefault();
  light.focus();
});

follow("/wall/events", () => {}, (lost) => document.body.classList.toggle("lost", lost));
