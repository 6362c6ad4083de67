// The device on the page: shows the frames that come in, sends the keys that are pressed. It knows no game.

const HOLDABLE = "*#";
const HELD_AFTER = 600; // ms that a key is down before it counts as held
const ANSWER_WITHIN = 8000; // ms that a key may go unanswered
const QUIET = 40000; // ms without a word from the server, which speaks at least every 15 s
const AGAIN_AFTER = 2000; // ms before a stream is opened anew that the browser has given up

const LIT = "#d3e9ff";
const UNLIT = "rgb(120 160 220 / 6%)";

const lamp = document.querySelector(".lamp");
const glass = document.querySelector(".glass");
const canvas = document.querySelector(".panel");
const status = document.querySelector(".status");
const words = document.querySelector(".words");
const help = document.querySelector(".help");
const buttons = new Map([...document.querySelectorAll(".key")].map((button) => [button.dataset.key, button]));

// ---- status line: what went wrong, in a sentence

let lost = false;
let asleep = false;
let failure = { what: "", then: "" };

function say() {
  const sleeping = asleep ? "The box sleeps: the next key only wakes it." : "";
  const then = lost ? "Connection lost, trying again." : failure.then || sleeping;
  const sentence = `${failure.what} ${then}`.trim();
  if (status.textContent !== sentence) status.textContent = sentence;
  document.body.classList.toggle("lost", lost);
  document.body.classList.toggle("asleep", asleep);
}

// ---- panel: every pixel of the frame a small square of whole device pixels

let picture = null;

function tile(size, colour) {
  const small = document.createElement("canvas");
  small.width = small.height = size;
  const pen = small.getContext("2d");
  const gap = size < 3 ? 0 : Math.max(1, Math.round(size * 0.12));
  const side = size - gap;
  const start = Math.floor(gap / 2);
  pen.fillStyle = colour;
  pen.beginPath();
  if (side >= 4 && pen.roundRect) pen.roundRect(start, start, side, side, side * 0.22);
  else pen.rect(start, start, side, side);
  pen.fill();
  return small;
}

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
  pen.clearRect(0, 0, canvas.width, canvas.height);
  const lit = tile(size, LIT);
  const unlit = tile(size, UNLIT);
  const row = Math.ceil(width / 8);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const on = bits[y * row + (x >> 3)] & (0x80 >> (x & 7));
      pen.drawImage(on ? lit : unlit, x * size, y * size);
    }
  }
}

function watchDensity() {
  // the page was moved to another screen, or zoomed
  const query = window.matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
  query.addEventListener("change", () => { draw(); watchDensity(); }, { once: true });
}

// ---- frames

function labelled(button, labels) {
  const name = button.dataset.key;
  const does = labels[name] ?? "";
  const held = labels[`h${name}`] ?? "";
  button.querySelector(".does").textContent = does;
  const small = button.querySelector(".held");
  if (small) small.textContent = held;
  button.classList.toggle("idle", !does && !held);
  button.classList.toggle("holds", Boolean(held));
  button.setAttribute("aria-label", [does ? `${name}, ${does}` : name, held ? `held: ${held}` : ""]
    .filter(Boolean).join("; "));
}

function show(frame) {
  asleep = frame.asleep;
  say();
  picture = {
    bits: Uint8Array.from(atob(frame.panel), (character) => character.charCodeAt(0)),
    width: frame.width,
    height: frame.height,
  };
  draw();
  const lit = frame.lamp !== null && frame.lamp.some((part) => part > 0);
  document.documentElement.style.setProperty("--lamp", lit ? `rgb(${frame.lamp.join(" ")})` : "transparent");
  lamp.classList.toggle("lit", lit);
  lamp.setAttribute("aria-label", lit ? "Lamp: lit" : "Lamp: dark");
  for (const button of buttons.values()) labelled(button, frame.labels);
  canvas.setAttribute("aria-label", ["Panel", ...frame.words].join(". "));
  const said = frame.words.join("\n");
  if (words.dataset.said !== said) {
    words.dataset.said = said;
    words.replaceChildren(...frame.words.map((line) => {
      const paragraph = document.createElement("p");
      paragraph.textContent = line;
      return paragraph;
    }));
  }
}

let source = null;
let silence = 0;

function alive() {
  clearTimeout(silence);
  silence = setTimeout(() => { lose(); listen(); }, QUIET);
  lost = false;
  say();
}

function lose() {
  lost = true;
  say();
}

function listen() {
  hush();
  const mine = new EventSource("/events");
  source = mine;
  mine.addEventListener("open", alive);
  mine.addEventListener("alive", alive);
  mine.addEventListener("message", (event) => { alive(); show(JSON.parse(event.data)); });
  mine.addEventListener("error", () => {
    lose();
    clearTimeout(silence);
    // the browser tries again by itself unless it was told something that is no stream
    silence = mine.readyState === EventSource.CLOSED
      ? setTimeout(listen, AGAIN_AFTER)
      : setTimeout(listen, QUIET);
  });
}

function hush() {
  clearTimeout(silence);
  source?.close();
  source = null;
}

// ---- keys going out: one at a time, in the order they were pressed

const waiting = [];
let sending = false;

function spoken({ key, held }) {
  return held ? `${key} (held)` : key;
}

async function post(press) {
  let answer;
  try {
    answer = await fetch("/key", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(press),
      signal: AbortSignal.timeout?.(ANSWER_WITHIN),
    });
  } catch {
    return { what: `No answer to ${spoken(press)}`, then: "Look at the panel before you press again." };
  }
  if (answer.ok) return null;
  const sentence = await answer.text().catch(() => "");
  return { what: `${spoken(press)} was not taken`, then: sentence || `The server said ${answer.status}.` };
}

async function send(key, held) {
  waiting.push({ key, held });
  if (sending) return;
  sending = true;
  while (waiting.length > 0) {
    const fault = await post(waiting.shift());
    // what was pressed after a key that failed was meant for a picture that never came
    const dropped = fault ? waiting.splice(0) : [];
    const rest = dropped.length > 0 ? `, and ${dropped.map(spoken).join(" ")} not sent` : "";
    failure = fault ? { what: `${fault.what}${rest}.`, then: fault.then } : { what: "", then: "" };
    say();
  }
  sending = false;
}

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
  if (touching) navigator.vibrate?.(ms);
}

let pointed = -Infinity;

for (const [name, button] of buttons) {
  button.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    pointed = event.timeStamp;
    touching = event.pointerType === "touch";
    try {
      button.setPointerCapture(event.pointerId);
    } catch {
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

const BY_KEY = { Enter: "#", Backspace: "*", Escape: "*" };

function nameOf(event) {
  if (event.isComposing) return null;
  const third = event.getModifierState("AltGraph");
  if ((event.ctrlKey || event.metaKey) && !third) return null;
  if (event.altKey && !third && !HOLDABLE.includes(event.key)) return null;
  const focused = document.activeElement?.closest?.(".key, .help");
  if (focused && !event.shiftKey && (event.key === "Enter" || event.key === " ")) {
    return focused.dataset.key ?? null;
  }
  if (event.key in BY_KEY) return BY_KEY[event.key];
  const name = event.key.toUpperCase();
  if (buttons.has(name)) return name;
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
  const name = nameOf(event);
  if (name === null) return;
  event.preventDefault();
  if (event.repeat) return;
  touching = false;
  if (event.shiftKey && (event.key === "Enter" || event.key === "Backspace")) tap(name, true);
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

document.addEventListener("pointerdown", (event) => {
  if (help.open && !event.target.closest(".help")) help.open = false;
});

// ---- start; a page nobody looks at does not listen, and is up to date at once when somebody does

document.addEventListener("visibilitychange", () => {
  if (document.hidden) hush();
  else listen();
});
window.addEventListener("pageshow", (event) => { if (event.persisted) listen(); });

new ResizeObserver(draw).observe(glass);
watchDensity();
listen();
