// The wall: shows what the stream brings, and moves what changed. The room's light is chosen here, and kept.

import { follow } from "/live.js";

// ---- dark, unless somebody chose bright: by the switch, or by the address

const page = document.documentElement;
const light = document.getElementById("light");

function choose(chosen) {
  show(chosen);
  try { localStorage.setItem("wall", chosen); } catch (error) { /* then it is dark again next time */ }
}

function show(chosen) {
  page.dataset.light = chosen;
  light.setAttribute("aria-pressed", String(chosen === "bright"));
}

function kept() {
  try { return localStorage.getItem("wall"); } catch (error) { return null; }
}

const asked = new URLSearchParams(location.search).get("light");
if (/^(bright|dark)$/.test(asked)) choose(asked);
else show(kept() === "bright" ? "bright" : "dark");

light.hidden = false;
light.addEventListener("click", () => choose(page.dataset.light === "bright" ? "dark" : "bright"));
// the first key of a remote finds the switch, the next presses it
document.addEventListener("keydown", (event) => {
  if (!/^(Enter|Arrow\w+)$/.test(event.key) || document.activeElement === light) return;
  event.preventDefault();
  light.focus();
});

// ---- motion: the styles say how, and whether at all

const COUNTED_IN = 250; // ms
const still = window.matchMedia("(prefers-reduced-motion: reduce)");
let before = null;

function seen() {
  const rows = [...document.querySelectorAll("#seats [data-seat]")];
  return {
    scene: document.getElementById("layout").className.split(" ")[0],
    sign: document.querySelector("#trump .picture"),
    seats: new Map(rows.map((row) => [row.dataset.seat, {
      row,
      laid: row.querySelector(".laid"),
      total: row.querySelector(".total"),
      won: row.classList.contains("won"),
    }])),
  };
}

function said(element) {
  return element ? element.textContent : "";
}

function drawn(sign) {
  return sign ? sign.querySelector("path").getAttribute("d") : "";
}

// A whole number, as it is written; NaN where it is none.
function number(text) {
  return /^[-−]?\d+$/.test(text.trim()) ? Number(text.trim().replace("−", "-")) : NaN;
}

function count(total, from) {
  const to = number(said(total));
  if (still.matches || !(from !== to) || Number.isNaN(from) || Number.isNaN(to)) return;
  const written = total.innerHTML;
  const begun = performance.now();
  const step = (now) => {
    const part = Math.min(1, (now - begun) / COUNTED_IN);
    if (part < 1) {
      total.textContent = String(Math.round(from + (to - from) * part)).replace("-", "−");
      requestAnimationFrame(step);
    } else {
      total.textContent = written;
    }
  };
  step(begun);
}

function exchange(old, sign) {
  if (still.matches || !sign || drawn(old) === drawn(sign)) return;
  sign.classList.add("fades");
  if (!old) return;
  for (const named of old.querySelectorAll("[id]")) {
    const name = named.id;
    named.id = `old-${name}`;
    for (const user of old.querySelectorAll(`[href="#${name}"]`)) user.setAttribute("href", `#old-${name}`);
    for (const user of old.querySelectorAll(`[fill="url(#${name})"]`)) user.setAttribute("fill", `url(#old-${name})`);
  }
  old.classList.remove("fades");
  old.classList.add("leaves");
  sign.after(old);
  old.addEventListener("animationend", () => old.remove());
}

function move() {
  const now = seen();
  const other = now.scene !== before.scene;
  if (now.sign !== before.sign) exchange(before.sign, now.sign);
  for (const [seat, { row, laid, total, won }] of now.seats) {
    const was = before.seats.get(seat);
    if (was && was.row === row) continue;
    if (laid && said(laid).trim() && (!was || said(laid) !== said(was.laid))) laid.classList.add("came");
    if (won && !(was && was.won)) row.classList.add(...(other ? ["pops"] : ["pops", "lifts"]));
    if (!was) continue;
    if (other && "before" in total.dataset) count(total, Number(total.dataset.before));
    else if (!other) count(total, number(said(was.total)));
  }
  before = null;
}

follow("/wall/events", () => { if (before) move(); }, (lost) => document.body.classList.toggle("lost", lost), {
  before: () => { before = seen(); },
});
