// The device on the page: shows the frames that come in, sends the keys that are pressed. It knows no game.

import { follow } from "/live.js";
import "/names.js";

const HOLDABLE = "*#o";
const HELD_AFTER = 600; // ms that a key is down before it counts as held
const TWICE = 150; // ms within which a key that was pressed again may be a finger's slip
const ANSWER_WITHIN = 8000; // ms that a key may go unanswered

const LIT = "#d3e9ff";
const DARK = "#090c11";

const lamp = document.querySelector(".lamp");
const glass = document.querySelector(".glass");
const canvas = document.querySelector(".panel");
const status = document.querySelector(".status");
const words = document.querySelector(".words");
const help = document.querySelector(".help");
const keypad = document.querySelector(".keypad");

// ---- the keys of the board that the server says it is; those of the keypad are there already

const { board, keys } = document.documentElement.dataset;
const CAPS = { "<": "◀", ">": "▶", "^": "▲", v: "▼", o: "●" };
const CALLED = { "<": "left", ">": "right", "^": "up", v: "down", o: "choose" }; // what the words for it are called

function drawn(name) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = name in CAPS ? "key turn" : "key step";
  button.dataset.key = name;
  for (const part of HOLDABLE.includes(name) ? ["cap", "does", "held"] : ["cap", "does"]) {
    const span = document.createElement("span");
    span.className = part;
    button.append(span);
  }
  button.firstChild.textContent = CAPS[name] || name;
  return button;
}

if (board !== "keypad") {
  keypad.textContent = "";
  keypad.append(...[...keys].map(drawn));
  keypad.classList.add(board);
}

const buttons = new Map([...document.querySelectorAll(".key")].map((button) => [button.dataset.key, button]));

// ---- words: those of the language the box speaks, sent before its first frame

let voice = { lost: status.dataset.lost };

function worded(name, filled = {}) {
  return (voice[name] || "").replace(/\{(\w+)\}/g, (_, part) => (part in filled ? filled[part] : ""));
}

function speak(spoken) {
  voice = spoken.said;
  document.documentElement.lang = spoken.language;
  field.dataset.tooLong = worded("long-name");
  for (const place of document.querySelectorAll("[data-say]")) {
    // the keys in a sentence look like keys
    const parts = worded(place.dataset.say).split(/([#*])/).map((part) => {
      if (part !== "#" && part !== "*") return part;
      const key = document.createElement("kbd");
      key.textContent = part;
      return key;
    });
    place.textContent = "";
    place.append(...parts);
  }
  keypad.setAttribute("aria-label", worded("keypad"));
  say();
}

// ---- status line: what went wrong, in a sentence

let lost = false;
let asleep = false;
let failure = { what: "", then: "" };

function say() {
  const sleeping = asleep ? worded("sleeps") : "";
  const then = lost ? worded("lost") : failure.then || sleeping;
  const sentence = `${failure.what} ${then}`.trim();
  if (status.textContent !== sentence) status.textContent = sentence;
  document.body.classList.toggle("lost", lost);
  document.body.classList.toggle("asleep", asleep);
}

// ---- panel: every pixel of the frame a square of whole device pixels; no gap between them cuts a dark letter

let picture = null;

function draw() {
  if (!picture) return;
  const { bits, width, height } = picture;
  const dense = window.devicePixelRatio || 1;
  const room = Math.min((glass.clientWidth * dense) / width, (glass.clientHeight * dense) / height);
  const size = Math.max(1, Math.floor(room + 0.001));
  if (canvas.width !== width * size || canvas.height !== height * size) {
    canvas.width = width * size;
    canvas.height = height * size;
  }
  canvas.style.width = `${canvas.width / dense}px`;
  canvas.style.height = `${canvas.height / dense}px`;
  const pen = canvas.getContext("2d");
  pen.fillStyle = DARK;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = LIT;
  const row = Math.ceil(width / 8);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (bits[y * row + (x >> 3)] & (0x80 >> (x & 7))) pen.fillRect(x * size, y * size, size, size);
    }
  }
}

function watchDensity() {
  // the page was moved to another screen, or zoomed
  const query = window.matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
  // Safari 12 has no such event; a new density is drawn with the next frame there
  if (query.addEventListener) query.addEventListener("change", () => { draw(); watchDensity(); }, { once: true });
}

// ---- frames

function labelled(button, labels) {
  const name = button.dataset.key;
  const does = labels[name] || "";
  const held = labels[`h${name}`] || "";
  button.querySelector(".does").textContent = does === name ? "" : does; // a number stands on its key already
  const small = button.querySelector(".held");
  if (small) {
    small.textContent = held;
    small.dataset.before = worded("on-key");
  }
  button.classList.toggle("idle", !does && !held);
  button.classList.toggle("holds", Boolean(held));
  const called = name in CALLED ? worded(CALLED[name]) : name;
  button.setAttribute("aria-label", [does ? `${called}, ${does}` : called, held ? worded("does-held", { does: held }) : ""]
    .filter(Boolean).join("; "));
}

function show(frame) {
  asleep = frame.asleep;
  say();
  ask(frame.wanted);
  picture = {
    bits: Uint8Array.from(atob(frame.panel), (character) => character.charCodeAt(0)),
    width: frame.width,
    height: frame.height,
  };
  draw();
  const lit = frame.lamp !== null && frame.lamp.some((part) => part > 0);
  document.documentElement.style.setProperty("--lamp", lit ? `rgb(${frame.lamp.join()})` : "transparent");
  lamp.classList.toggle("lit", lit);
  lamp.setAttribute("aria-label", worded(lit ? "lit" : "dark"));
  for (const button of buttons.values()) labelled(button, frame.labels);
  canvas.setAttribute("aria-label", [worded("panel"), ...frame.words].join(". "));
  const said = frame.words.join("\n");
  if (words.dataset.said !== said) {
    words.dataset.said = said;
    words.textContent = "";
    words.append(...frame.words.map((line) => {
      const paragraph = document.createElement("p");
      paragraph.textContent = line;
      return paragraph;
    }));
  }
}

// ---- keys going out: one at a time, in the order they were pressed

const waiting = [];
let sending = false;

function spoken({ key, held }) {
  return held ? worded("held", { key }) : key;
}

async function post(press) {
  return put("/key", press, spoken(press));
}

async function put(path, said, called) {
  let answer;
  try {
    answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(said),
      signal: AbortSignal.timeout ? AbortSignal.timeout(ANSWER_WITHIN) : undefined,
    });
  } catch (_failure) {
    return { what: worded("unanswered", { key: called }), then: worded("look") };
  }
  if (answer.ok) return null;
  const sentence = answer.status === 429 ? worded("many") : await answer.text().catch(() => "");
  return { what: worded("refused", { key: called }), then: sentence || worded("status", answer) };
}

const pressedAt = new Map(); // when each key was pressed last
let moment = 0; // when the latest input came, however late the page gets to it
for (const kind of ["keydown", "keyup", "pointerdown", "pointerup", "click"]) {
  document.addEventListener(kind, (event) => { moment = event.timeStamp; }, true);
}

async function send(key, held) {
  const again = !held && !(key in CAPS && key !== "o") && moment - (pressedAt.has(key) ? pressedAt.get(key) : -Infinity) < TWICE;
  pressedAt.set(key, moment);
  waiting.push(again ? { key, held, again } : { key, held });
  if (sending) return;
  sending = true;
  while (waiting.length > 0) {
    const fault = await post(waiting.shift());
    // what was pressed after a key that failed was meant for a picture that never came
    const dropped = fault ? waiting.splice(0) : [];
    const rest = dropped.length > 0 ? ` ${worded("unsent", { keys: dropped.map(spoken).join(" ") })}` : "";
    failure = fault ? { what: `${fault.what}${rest}`, then: fault.then } : { what: "", then: "" };
    say();
  }
  sending = false;
}

// ---- a name written with the letters of a phone or a computer, while the box asks for one

const writing = document.querySelector(".writing");
const field = writing.querySelector("input");
let lent = false; // a letter of the keyboard has put the focus there; other keys are keys again after the name

function ask(wanted) {
  if (field.placeholder === wanted) return;
  // what was begun for one seat is not meant for the next
  field.value = "";
  field.setCustomValidity("");
  field.placeholder = wanted;
  field.setAttribute("aria-label", wanted);
  if (!wanted || lent) field.blur();
  lent = false;
  writing.hidden = !wanted;
}

const LETTER = new RegExp("^\\p{L}$", "u");

function writes(event) {
  const digit = event.code.startsWith("Digit"); // on some keyboards a letter, but meant for a key
  return !writing.hidden && !digit && !event.ctrlKey && !event.metaKey && !event.altKey && LETTER.test(event.key);
}

field.addEventListener("pointerdown", () => { lent = false; });

writing.addEventListener("submit", async (event) => {
  event.preventDefault();
  const text = field.value.trim();
  if (!text) {
    send("#", false); // as Enter does beside the field
    return;
  }
  const fault = await put("/text", { text }, text);
  failure = fault || { what: "", then: "" };
  say();
});

// ---- keys being pressed: each by its source, a pointer or a key of the keyboard

const down = new Map();

function look(name) {
  const mine = [...down.values()].filter((press) => press.name === name);
  const button = buttons.get(name);
  button.classList.toggle("down", mine.length > 0);
  button.classList.toggle("charging", mine.some((press) => press.open));
}

function settle(press, held) {
  if (!press.open) return;
  press.open = false;
  clearTimeout(press.timer);
  send(press.name, held);
  look(press.name);
}

function press(origin, name) {
  if (down.has(origin)) return;
  // a * or # still down was pressed first, so it goes first
  for (const earlier of down.values()) settle(earlier, false);
  const mine = { name, open: HOLDABLE.includes(name), timer: 0 };
  down.set(origin, mine);
  if (mine.open) {
    mine.timer = setTimeout(() => {
      settle(mine, true);
      buzz(25);
    }, HELD_AFTER);
  } else {
    send(name, false);
  }
  look(name);
}

function release(origin, meant) {
  const mine = down.get(origin);
  if (!mine) return;
  down.delete(origin);
  if (meant) settle(mine, false);
  clearTimeout(mine.timer);
  mine.open = false;
  look(mine.name);
}

function tap(name, held) {
  const origin = Symbol(name);
  for (const earlier of down.values()) settle(earlier, false);
  down.set(origin, { name, open: false, timer: 0 });
  send(name, held);
  look(name);
  setTimeout(() => release(origin, false), 140);
}

let touching = false;

function buzz(ms) {
  if (touching && navigator.vibrate) navigator.vibrate(ms);
}

let pointed = -Infinity;

for (const [name, button] of buttons) {
  button.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    pointed = event.timeStamp;
    touching = event.pointerType === "touch";
    try {
      button.setPointerCapture(event.pointerId);
    } catch (_failure) {
      // the pointer is gone already; its pointerup or pointercancel still comes
    }
    press(`pointer ${event.pointerId}`, name);
    buzz(8);
  });
  button.addEventListener("pointerup", (event) => {
    pointed = event.timeStamp;
    const box = button.getBoundingClientRect();
    const near = event.clientX > box.left - 16 && event.clientX < box.right + 16
      && event.clientY > box.top - 16 && event.clientY < box.bottom + 16;
    release(`pointer ${event.pointerId}`, near);
  });
  button.addEventListener("pointercancel", (event) => release(`pointer ${event.pointerId}`, false));
  button.addEventListener("lostpointercapture", (event) => release(`pointer ${event.pointerId}`, false));
  // a click that no pointer made comes from a screen reader or a switch
  button.addEventListener("click", (event) => {
    if (event.detail === 0 || event.timeStamp - pointed > 1000) tap(name, false);
  });
  // keys pressed with the mouse do not take the focus, so that Enter stays #
  button.addEventListener("mousedown", (event) => event.preventDefault());
  button.addEventListener("contextmenu", (event) => event.preventDefault());
}

// ---- a knob turns with the wheel of a mouse, too

const NOTCH = 60; // pixels of a wheel that are one step
let turned = 0;

if (board === "knob") {
  keypad.addEventListener("wheel", (event) => {
    event.preventDefault();
    turned += event.deltaY;
    for (; Math.abs(turned) >= NOTCH; turned -= Math.sign(turned) * NOTCH) tap(turned > 0 ? ">" : "<", false);
  }, { passive: false });
}

const few = buttons.has("o");
const up = buttons.has("^");
const BY_KEY = few
  ? { Enter: "o", " ": "o", ArrowLeft: "<", ArrowRight: ">", ArrowUp: up ? "^" : "<", ArrowDown: up ? "v" : ">" }
  : { Enter: "#" };
if (buttons.has("*")) BY_KEY.Backspace = BY_KEY.Escape = "*";
// what Shift makes a key that is held
const HELD_BY_KEY = { Enter: buttons.has("#") ? "#" : "o", Backspace: buttons.has("*") ? "*" : "o" };

// The minus of a keyboard is the key that has this sign now. If none has, that is said.
function minus() {
  const key = [...buttons.values()].find((button) => button.querySelector(".does").textContent === "−");
  if (key) return key.dataset.key;
  failure = { what: worded("minus"), then: "" };
  say();
  return null;
}

function nameOf(event) {
  const third = event.getModifierState("AltGraph");
  if ((event.ctrlKey || event.metaKey) && !third) return null;
  if (event.altKey && !third && !HOLDABLE.includes(event.key)) return null;
  const focused = document.activeElement && document.activeElement.closest(".key, .help, .writing, a");
  if (focused && !event.shiftKey && (event.key === "Enter" || event.key === " ")) {
    return focused.dataset.key || null;
  }
  if (event.key in BY_KEY) return BY_KEY[event.key];
  if (/^[-−]$/.test(event.key) && event.code !== "Digit6") return minus(); // on French keyboards the 6 writes it, too
  if (buttons.has(event.key)) return event.key;
  const name = event.key.toUpperCase();
  if (buttons.has(name)) return name;
  if (few) return null;
  // keyboards whose digits want Shift, or whose letters are not Latin
  const place = /^(?:Digit([0-9])|Key([A-D]))$/.exec(event.code);
  if (!place || event.shiftKey || third) return null;
  if (place[1]) return place[1];
  return event.key.codePointAt(0) > 0x24f && event.key.length <= 2 ? place[2] : null;
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && help.open) {
    help.open = false;
    event.preventDefault();
    return;
  }
  if (event.target === field && event.key === "Escape" && !event.isComposing) {
    field.value = "";
    field.setCustomValidity("");
    field.blur();
    return;
  }
  if (event.isComposing || event.target === field) return;
  if (writes(event)) {
    lent = true;
    field.focus(); // and the letter goes there
    return;
  }
  if (few && !buttons.has("*") && /^(Backspace|Escape)$/.test(event.key)) {
    event.preventDefault();
    if (!event.repeat) tap("o", true); // back is choose, held
    return;
  }
  const name = nameOf(event);
  if (name === null) return;
  event.preventDefault();
  if (event.repeat) {
    if (name in CAPS && name !== "o") send(name, false); // an arrow kept down goes on turning
    return;
  }
  touching = false;
  if (event.shiftKey && event.key in HELD_BY_KEY) tap(HELD_BY_KEY[event.key], true);
  else press(`keyboard ${event.code || event.key}`, name);
});

document.addEventListener("keyup", (event) => {
  const origin = `keyboard ${event.code || event.key}`;
  if (!down.has(origin)) return;
  event.preventDefault(); // or a space would click the key as well
  release(origin, true);
});

window.addEventListener("blur", () => {
  for (const origin of [...down.keys()]) release(origin, false);
});

// a click with the mouse leaves the focus where it was, so that Enter is # afterwards
for (const clicked of document.querySelectorAll("summary, .writing button")) {
  clicked.addEventListener("mousedown", (event) => event.preventDefault());
}

help.addEventListener("toggle", () => {
  const high = help.open ? help.querySelector(".sheet").offsetHeight : 0;
  document.documentElement.style.setProperty("--help", `${high}px`); // the box makes room
});

document.addEventListener("pointerdown", (event) => {
  if (help.open && !event.target.closest(".help")) help.open = false;
});

// ---- start

if (window.ResizeObserver) new window.ResizeObserver(draw).observe(glass);
else window.addEventListener("resize", draw);
watchDensity();
follow("/events", show, (gone) => {
  lost = gone;
  say();
}, { speak });
