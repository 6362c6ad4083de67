// The score sheet. Figures are typed in its fields in any order; each is sent once the box can take it, one after the
// other. A figure that was entered before is tapped to be corrected where it stands.

const body = document.body;

let typed = new Map(); // what was typed and is not given yet, by the names of the fields: its text, what was there before
let round = ""; // the round that it belongs to
let tapped = ""; // the seat whose figure was tapped, to be typed as soon as its field is there
let going = false; // whether figures are being typed here one after the other
let finished = false; // whether the last figure of a round was typed with a keyboard that is always there
let give = null; // sends a choice, and tells what became of it

const form = () => document.querySelector("form.filling");
const fields = () => [...document.querySelectorAll("form.filling input")].sort((one, other) => one.dataset.order - other.dataset.order);
const seatOf = (field) => String(field.name.split(" ")[1] - 1);

// Return whether somebody may type in a field on this phone: a person's phone in that person's.
function open(field) {
  if (body.classList.contains("role-spectator")) return false;
  return !body.classList.contains("role-seat") || seatOf(field) === body.dataset.seat;
}

// Say why a figure is refused, beside it; an empty sentence takes that back.
function refuse(field, sentence) {
  const told = form().querySelector(".refusal");
  told.textContent = sentence;
  told.hidden = !sentence;
  for (const each of fields()) each.removeAttribute("aria-invalid");
  if (sentence) field.setAttribute("aria-invalid", "true");
}

// Send what the box can take now: a figure that is asked for, or one in place of another.
function send() {
  if (!form() || body.dataset.sending === body.dataset.number) return;
  const ready = fields().find((field) => {
    const mine = typed.get(field.name);
    return mine && mine.done && !mine.refused && (field.classList.contains("asked") || field.defaultValue !== "");
  });
  if (!ready) return;
  const { name, value } = ready;
  const mine = typed.get(name);
  give({ choice: `${name} ${Number(value)}` }, value, (sentence) => {
    mine.refused = true;
    const field = fields().find((each) => each.name === name);
    if (!field) return;
    refuse(field, sentence);
    going = true;
    field.focus();
    field.select();
  }).then((counts) => {
    mine.done = counts; // what got no answer waits in its field: the page says so
    if (!counts) return;
    if (typed.get(name) === mine) typed.delete(name);
    send();
  });
}

// Take what stands in a field as its figure.
function done(field, even = false) {
  const mine = typed.get(field.name);
  if (field.value === "" || !Number.isInteger(Number(field.value))) return;
  if (mine) mine.done = true;
  else if (even) typed.set(field.name, { text: field.value, before: field.defaultValue, done: true });
  send();
}

function next(field) {
  const all = fields().filter((each) => !each.disabled);
  const later = all.slice(all.indexOf(field) + 1);
  const following = later.find((each) => each.value === "") || (field.classList.contains("asked") && later[0]);
  finished = !following && matchMedia("(pointer: fine)").matches;
  if (following) following.focus();
  else field.blur();
}

// Prepare for other markup: nothing that is typed is lost.
export function keepFigures() {
  going = going && fields().includes(document.activeElement);
}

// Show the fields as they are for this phone, with what was typed in them, and send what can be sent now.
export function showFigures() {
  const there = form();
  const scores = document.querySelector("#scores");
  scores.hidden = !document.querySelector("#sheet").children.length;
  if (!there || there.dataset.round !== round) typed = new Map();
  round = there ? there.dataset.round : "";
  for (const field of fields()) {
    field.disabled = !open(field);
    const mine = typed.get(field.name);
    if (mine && mine.before !== field.defaultValue) typed.delete(field.name); // somebody else has given it
    const text = typed.has(field.name) ? mine.text : field.defaultValue;
    if (field.value !== text) field.value = text;
  }
  const meant = tapped && fields().find((field) => !field.disabled && seatOf(field) === tapped);
  if (meant) {
    meant.focus();
    meant.select();
  }
  tapped = "";
  const held = document.querySelector("#keyboard");
  if (held) held.remove();
  const asked = fields().find((field) => field.classList.contains("asked") && !field.disabled);
  if (asked && (finished || (going && document.activeElement === body))) asked.focus();
  if (asked) finished = false;
  const agree = document.querySelector("#ask [data-choice='skip']");
  if (finished && there && agree) agree.focus();
  body.classList.toggle("sheeted", document.querySelector("#ask .sheet") !== null);
  const bar = document.querySelector("#acts .bar");
  const over = getComputedStyle(bar).position === "fixed" ? bar.offsetHeight : 0; // the totals stand above it
  document.documentElement.style.setProperty("--foot", `${over}px`);
  send();
}

// A phone opens its keyboard only while it is tapped, not when the field comes a moment later.
function openKeyboard() {
  const field = document.createElement("input");
  field.id = "keyboard";
  field.type = "number";
  field.className = "aloud";
  field.setAttribute("aria-hidden", "true");
  field.style.top = `${scrollY + 100}px`; // an old phone scrolls to it
  body.append(field);
  field.focus({ preventScroll: true });
}

// Follow the fields and the figures; `sender` sends a choice, and tells a function the sentence of a refusal.
export function typeFigures(sender) {
  give = sender;
  document.addEventListener("input", ({ target }) => {
    if (!target.closest("form.filling")) return;
    const before = typed.get(target.name);
    typed.set(target.name, { text: target.value, before: before ? before.before : target.defaultValue, done: false });
    refuse(target, "");
    going = true;
  });
  document.addEventListener("change", ({ target }) => { if (target.closest("form.filling")) done(target); });
  document.addEventListener("keydown", (event) => {
    const field = event.target;
    if (event.key !== "Enter" || field.tagName !== "INPUT" || !field.closest("form.filling")) return;
    event.preventDefault();
    if (field.value === "") return;
    going = true;
    done(field, field.classList.contains("asked"));
    next(field);
  });
  document.addEventListener("submit", (event) => {
    if (!event.target.closest("form.sheet")) return;
    event.preventDefault();
    event.stopPropagation();
  }, true);
  document.addEventListener("focusin", ({ target }) => { if (target.closest("form.filling") && target.value) target.select(); });
  document.addEventListener("click", ({ target }) => {
    const cell = target.closest(".sheet tr[data-round] td");
    if (!cell || body.classList.contains("role-spectator")) return;
    tapped = String(cell.cellIndex - 1);
    if (form()) openKeyboard();
    const { round: number } = cell.parentElement.dataset;
    give({ choice: `round ${number} seat ${cell.cellIndex}` }, cell.textContent.trim());
  });
}
