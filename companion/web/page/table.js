// The table's page: shows what the stream brings, sends taps one at a time. It knows no game.

import { follow } from "/live.js";
import "/names.js";
import { share } from "/share.js";
import { keepFigures, showFigures, typeFigures } from "/sheet.js";
import { kept, signal } from "/signals.js";
import { counts, remember, settle, tapped, tooLate } from "/steady.js";

const ANSWER_WITHIN = 8000; // ms that a tap may go unanswered
const HELD_AFTER = 500; // ms that a card is down before it is laid in the other mode

const body = document.body;
const status = document.querySelector("#status");
const voice = document.querySelector("#voice");
const role = document.querySelector("#role");
const who = document.querySelector("#who");
const said = status.dataset;

const filled = (sentence, choice) => sentence.replace("{choice}", () => choice);

// ---- what is shown

let latest = ["", ""];
let theirs = ""; // what is told to whose answer came after the last one
let begun = { text: "", number: "", mode: "", writes: "", place: "" }; // what was begun on this page when the question changed

function show(news) {
  body.dataset.listening = true;
  const { number, sending } = body.dataset;
  const changed = String(news.number) !== number;
  const others = changed && sending !== number; // somebody else has answered, or the keys of the box have
  const chose = changed && !others && !figure;
  theirs = news.latest;
  body.dataset.by = news.by;
  if (changed) {
    clearTimeout(held); // it was down for another question
    delete body.dataset.sending;
    if (others) body.classList.remove("told-here");
    if (others) told.stays -= 1;
    if (others && told.stays < 0) say("tap", ""); // it was about a question that is answered
    if (others) tellOfOthers(news.said[0] !== latest[0]);
  }
  const wasMine = body.classList.contains("mine");
  body.dataset.number = news.number;
  document.querySelector("#rules-card").hidden = !news.rules;
  iAm(news.phones[body.dataset.phone], news.names);
  mine(news.seat);
  pledge(!changed && body.classList.contains("pledging"));
  if (begun.place !== place()) scrollTo(0, 0); // another page begins at its top
  move();
  if (changed && number) tellBySignal(news, wasMine);
  mayUndo(news);
  showChosen();
  showFigures(chose);
  settle(others);
  const field = document.querySelector(".writing input");
  // a name is typed at once where there is a keyboard that does not come and go on the screen
  if (changed && field && begun.writes !== writes() && !matchMedia("(pointer: coarse)").matches) {
    field.focus();
    field.select(); // what stands there is typed anew
  }
  filterRows();
  goBack(news.back);
  if (!news.away && body.dataset.away !== "false") asBefore();
  body.dataset.away = news.away;
  if (news.said[0] !== latest[0] || news.said[1] !== latest[1]) {
    latest = news.said;
    speak();
  }
}

// Sound and vibration: an alert comes before the own turn, and that before a trick that is won.
function tellBySignal(news, wasMine) {
  const own = news.seat !== null && body.classList.contains("mine") && body.classList.contains("role-seat");
  if (news.alert) signal("alert");
  else if (own && !wasMine) signal("turn");
  else if (moved.won) signal("trick");
}

// A seat takes back its own entry or answer, one of nobody's seat, and a correction that was made on this phone. Redo is
// for the phone that took back. At the table an answer is taken back by "back", elsewhere this leads back.
function mayUndo(news) {
  const seat = body.classList.contains("role-seat");
  const here = String(news.enteredBy) === body.dataset.phone;
  const own = news.undoOf === null ? here : news.undoOf === "any" ? body.dataset.seat !== "" : String(news.undoOf) === body.dataset.seat;
  const offer = (button, may) => {
    if (!button) return;
    button.disabled = seat && !may;
    button.classList.toggle("away", button.disabled);
  };
  offer(document.querySelector(`#acts [data-choice="undo"]${news.away ? "" : ', #acts [data-choice="back"]'}`), own);
  offer(document.querySelector('#acts [data-choice="redo"]'), here);
}

// What has changed since the last message moves: a card laid, a trick won, a total, the trump.
const MOVING = "#seats .laid, #seats .won .name, #seats .total, #head .picture";
const moved = { places: new Map(), won: false };

function move() {
  const places = new Map();
  moved.won = false;
  for (const one of document.querySelectorAll(MOVING)) {
    const row = one.closest("li");
    const name = `${row ? [...row.parentElement.children].indexOf(row) : ""} ${one.classList[0]}`;
    const shown = row ? one.textContent.trim() : one.innerHTML;
    places.set(name, shown);
    if (!moved.places.size || !shown || moved.places.get(name) === shown) continue;
    one.classList.add("moves");
    if (one.matches(".won .name")) moved.won = true;
  }
  moved.places = places;
}

// The list of all games, the one with headings, shows those with the typed text. Enter asks the box, which knows more
// languages.
const folded = (text) => text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase();

function filterRows() {
  const field = document.querySelector(".writing input");
  const headings = document.querySelectorAll("#acts > h3");
  if (!field || !headings.length) return;
  const wanted = folded(field.value.trim());
  for (const heading of headings) heading.hidden = wanted !== "";
  for (const row of document.querySelectorAll("#acts > .row")) row.hidden = !folded(row.textContent).includes(wanted);
}

document.addEventListener("input", filterRows);

// The row whose actions stand at the foot is in sight when its list comes, and when another row is chosen.
let chosenRow = "";

function showChosen() {
  const row = document.querySelector("#acts .row.chosen");
  const name = row ? `${row.parentElement.childElementCount} ${row.dataset.choice}` : "";
  if (row && name !== chosenRow) {
    row.scrollIntoView({ block: "nearest" });
    const below = row.getBoundingClientRect().bottom - document.querySelector("#acts .bar").getBoundingClientRect().top;
    if (below > 0) window.scrollBy(0, Math.ceil(below)); // the bar is over it
  }
  chosenRow = name;
}

// What the page is: the table while this phone is asked or waits, the score sheet, or a screen of some title.
function place() {
  const kind = document.querySelector("main").className;
  const title = kind === "view-screen" ? document.querySelector("#ask h2") : null;
  return title ? `${kind} ${title.textContent}` : kind;
}

// What a name or text is typed for; empty where none is.
function writes() {
  const label = document.querySelector(".writing label");
  return label ? label.textContent : "";
}

function before() {
  const typed = (field) => (field && field.value !== field.defaultValue ? field.value.trim() : "");
  begun = {
    text: typed(document.querySelector(".writing input")),
    number: typed(document.querySelector(".number input")),
    mode: body.classList.contains("pledging") ? document.querySelector(".mode").textContent : "",
    writes: writes(),
    place: place(),
  };
  keepFigures();
  remember();
}

// What was begun here was meant for the question before: it is not sent, and a text is kept.
function tellOfOthers(entered) {
  const mine = [begun.text, begun.number, entered && begun.mode].filter(Boolean).join(" ");
  if (!mine) return;
  const field = document.querySelector(".writing input");
  if (field && begun.text) field.value = begun.text;
  tellTooLate(mine);
}

// Say that something was meant for a question that somebody else has answered, and what was entered.
function tellTooLate(mine) {
  say("tap", `${filled(said.refused, mine)} ${theirs}`, true);
}

// ---- the browser's back leads one screen back, and leaves the page only from the table: above this page's place in
// the history lies another one while a screen is open, which back takes away

const screenOpen = (state) => Boolean(state && state.screen);

function goBack(possible) {
  body.dataset.back = possible;
  if (possible && !body.classList.contains("role-spectator") && !screenOpen(history.state)) history.pushState({ screen: true }, "");
}

window.addEventListener("popstate", (event) => {
  if (screenOpen(event.state)) return; // forward
  if (cleared()) history.pushState({ screen: true }, ""); // the page stays where it was
  else if (body.dataset.back === "true") send({ choice: "back" }, "back");
  else history.back();
});

// A question of no seat is open to every player's phone.
function mine(seat = document.querySelector("#ask").dataset.seat || null) {
  const own = seat === null ? body.dataset.seat !== "" : String(seat) === body.dataset.seat;
  body.classList.toggle("mine", own);
  const ask = document.querySelector("#ask");
  const asked = ask.querySelector(".asked"); // nobody is, once the game is over, and on other pages
  const player = body.classList.contains("role-seat");
  const waits = Boolean(asked) && (player ? !own : body.classList.contains("role-spectator"));
  document.querySelector("main").className = `view-${ask.dataset.view}${waits && seat !== null ? " waits" : ""}`;
  const away = ask.querySelector(".not-asked");
  if (away) away.hidden = !waits || !player;
  alsoPairs();
  const { seat: me } = body.dataset;
  const heads = document.querySelectorAll("#ask .sheet thead .face"); // there are no seats beside the sheet
  const rows = ["#seats", ".result"].map((list) => `${list} [data-seat="${me}"] .face`).join(); // #ask names who is asked
  if (role) showFace(me ? document.querySelector(rows) || heads[me] : null);
}

// A name has two lines, or one above a column of the score sheet: first without hyphens, then with them, then in smaller
// letters; what is too long then ends in an ellipsis, or with its last whole letter. All names are tried together, so
// that the page is laid out once a step.
const FITS = ["whole", "hyphens", "small", "least"];

function fitNames() {
  let names = [...document.querySelectorAll("#seats .name, .result .name, .sheet .name")];
  for (const fit of FITS) {
    for (const name of names) name.dataset.fit = fit;
    names = names.filter((name) => name.scrollHeight > name.clientHeight + 1 || name.scrollWidth > name.clientWidth);
  }
}

function showFace(face) {
  const shown = role.previousElementSibling;
  if (shown) shown.remove();
  if (face) role.before(face.cloneNode(true));
}

// Pairs of cards stand behind a button; once somebody has opened them here, they stay open.
function alsoPairs(open = kept("pairs") === "true") {
  body.classList.toggle("with-pairs", open);
  const button = document.querySelector("button.pairs");
  if (button) button.setAttribute("aria-pressed", String(open));
}

// Who this phone is, as the box keeps it: its role, its person, the seat of the person in the open game.
function iAm(me, names) {
  if (!role || !me) return;
  const [kind, person, seat, chosen] = me;
  const asks = !chosen && names.length > 0 && document.querySelector("#ask .asked") !== null;
  body.className = body.className.replace(/role-\w+/, `role-${asks ? "spectator" : kind}`);
  body.dataset.seat = kind === "seat" && seat !== null ? seat : "";
  const away = kind === "seat" && seat === null;
  const people = away && person ? [...names, person] : names;
  const seats = [...role.options].filter((option) => option.value.startsWith("seat "));
  if (seats.map((option) => option.text).join("\n") !== people.join("\n")) {
    for (const option of seats) option.remove();
    role.options[0].after(...people.map((name) => new Option(name, `seat ${name}`)));
  }
  const value = kind === "seat" ? `seat ${away ? person : names[seat]}` : kind;
  if (role.value !== value) role.value = value;
  // A phone whose person does not play is asked who holds it now; a new one is asked so, too, before anything can be
  // tapped on it by accident: if it was paired with a player's name, whether it enters for that player alone.
  const options = [...role.options];
  if (names.length && away) {
    const absent = person && who.dataset.absent.replace("{name}", () => person);
    askWho([absent, who.dataset.ask].filter(Boolean).join(" "), options.filter((option) => option.text !== person));
  } else if (asks && seat === null) {
    askWho(who.dataset.ask, options);
  } else if (asks) {
    const both = ["scorer", `seat ${names[seat]}`];
    askWho(who.dataset.whom.replace("{name}", () => names[seat]), options.filter((option) => both.includes(option.value)));
  } else askWho("", []);
}

function askWho(sentence, options) {
  const asked = [sentence, ...options.map((option) => option.value)].join("\n");
  if (who.dataset.asked === asked) return;
  who.dataset.asked = asked;
  who.textContent = "";
  who.hidden = options.length === 0;
  const question = document.createElement("h2");
  question.textContent = sentence;
  const buttons = document.createElement("p");
  buttons.className = "buttons";
  for (const { value, text } of options) {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.role = value;
    button.textContent = text;
    buttons.append(button);
  }
  who.append(question, buttons);
}

// The other way to lay a card: button, cards and what they are called are set together, from this one value.
function pledge(on) {
  const mode = document.querySelector(".mode");
  body.classList.toggle("pledging", Boolean(mode) && on);
  if (!mode) return;
  mode.setAttribute("aria-pressed", String(on));
  for (const card of document.querySelectorAll(".usual .card")) {
    if (!card.dataset.called) card.dataset.called = card.getAttribute("aria-label");
    card.setAttribute("aria-label", on ? `${mode.textContent} ${card.dataset.called}` : card.dataset.called);
  }
}

function speak() {
  const level = kept("talk") || "short";
  const sentence = level === "off" ? "" : level === "all" ? latest.filter(Boolean).join(". ") : latest[0];
  voice.textContent = sentence;
}

// The status line: that the connection is lost, and what became of the last tap until another one counts.
// What was not sent is told on at some questions after it.
const told = { lost: "", tap: "", stays: 0 };
const UNSENT_STAYS = 4; // questions

function say(about, sentence, unsent = false) {
  told[about] = sentence;
  if (about === "tap") {
    told.stays = unsent ? UNSENT_STAYS : 0;
    body.classList.remove("telling");
  }
  const sentences = [told.lost, told.tap].filter(Boolean).join(" ");
  if (status.dataset.told !== sentences) {
    status.dataset.told = sentences;
    status.textContent = sentences;
    if (sentences) status.append(closing());
  }
  status.classList.toggle("done", sentences === said.copied);
}

// A cross that closes the status line.
function closing() {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "close";
  button.setAttribute("aria-label", said.close);
  return button;
}

// ---- taps: the number says which question was seen, so that an answer counts once

let figure = false; // whether it is one of the score sheet
let underWay = ""; // what was tapped on the question whose number is in body.dataset.sending
let dropped = ""; // the sentence on a tap that came while another one was under way

function unsent(called) {
  return `${filled(said.unsent, called)} ${said.look}`;
}

async function post(message) {
  return fetch("/table/tap", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ number: Number(body.dataset.number), ...message }),
    signal: AbortSignal.timeout ? AbortSignal.timeout(ANSWER_WITHIN) : undefined,
  });
}

// Send an answer; return whether it counts. An answered question is not answered again until the next one is shown.
async function send(answer, called, button, tell) {
  const { number } = body.dataset;
  if (body.dataset.sending === number) {
    if (underWay !== called) say("tap", dropped = unsent(called), true); // the same one twice is one tap
    return false;
  }
  body.dataset.sending = number;
  underWay = called;
  figure = Boolean(tell);
  dropped = "";
  let outcome = "";
  let refusal = "";
  let failed = false;
  let next = Number(number);
  if (button) button.classList.add("sent");
  try {
    const reply = await post(answer);
    if (reply.status === 503) throw reply; // it may count yet
    const told = reply.ok ? await reply.json() : { why: said[`refused${reply.status}`] || (await reply.text()) };
    if ("number" in told) next = told.number;
    outcome = told.why ? `${filled(said.refused, called)} ${told.why}` : "";
    refusal = reply.ok ? outcome : "";
    if (tell && refusal) {
      tell(told.why, told.late);
      outcome = "";
    }
  } catch (_failure) {
    failed = true;
    outcome = `${filled(navigator.onLine ? said.unanswered : said.unsent, called)} ${said.look}`;
  }
  if (button) button.classList.remove("sent");
  body.classList.toggle("told-here", Boolean(refusal)); // the notice need not say it again
  if (body.dataset.sending === number && (outcome || refusal || next === Number(number))) delete body.dataset.sending;
  say("tap", [outcome, dropped].filter(Boolean).join(" "), failed || Boolean(dropped));
  return !outcome && !refusal;
}

function called(button) {
  return button.getAttribute("aria-label") || button.textContent.trim();
}

function choose(button, aside = body.classList.contains("pledging") && button.closest(".usual")) {
  const held = aside && !body.classList.contains("pledging");
  const mode = held ? `${document.querySelector(".mode").textContent} ` : "";
  tapped(button);
  send({ choice: `${button.dataset.choice}${aside ? " aside" : ""}` }, mode + called(button), button);
}

// Ask why a card is gone: who laid it, and when.
async function whyGone(button) {
  const reply = await post({ choice: `gone ${button.dataset.gone}` }).catch(() => null);
  if (!reply || !reply.ok) return;
  const { why } = await reply.json();
  remember();
  say("tap", why);
  body.classList.add("telling"); // the button that steps back clears the sentence first, as on the box
  settle(false);
}

// Clear the sentence on a card that is gone; return whether it stood there.
function cleared() {
  if (!body.classList.contains("telling")) return false;
  remember();
  say("tap", "");
  settle(false);
  return true;
}

let held = 0;
let laidByHolding = false;

document.addEventListener("click", (event) => {
  const button = event.target.closest("button, a.row");
  if (!button) return;
  if (laidByHolding) {
    laidByHolding = false; // the finger that held the card is lifted
  } else if (button.closest("main") && !counts(button)) {
    event.preventDefault(); // it has just come under the finger, or is tapped twice
    if (tooLate(button)) tellTooLate(called(button));
  } else if (button.classList.contains("close")) {
    if (button.parentElement.id === "notice") button.parentElement.classList.add("read");
    else for (const about of ["lost", "tap"]) say(about, "");
  } else if (button.dataset.gone) {
    whyGone(button);
  } else if (button.classList.contains("clears")) {
    cleared();
  } else if (button.dataset.role) {
    tapped(button);
    kept("before", button.closest("#who") ? "" : role.value);
    become(button.dataset.role).then((done) => { if (done && button.dataset.choice) choose(button); });
  } else if (button.dataset.choice) {
    choose(button);
  } else if (button.classList.contains("mode")) {
    pledge(!body.classList.contains("pledging"));
  } else if (button.classList.contains("pairs")) {
    alsoPairs(kept("pairs", button.getAttribute("aria-pressed") === "false") === "true");
    settle(false);
  } else if (button.dataset.step) {
    const field = button.form.querySelector("input");
    const value = Number(field.value) + Number(button.dataset.step);
    field.value = Math.min(Number(field.max), Math.max(Number(field.min), value));
  } else if (button.dataset.to) {
    document.getElementById(button.dataset.to).scrollIntoView({ block: "nearest" });
  } else if (button.dataset.text) {
    share(button.dataset.text).then((copied) => { if (copied) say("tap", said.copied); });
  } else if (button.id === "again") {
    voice.textContent = "";
    setTimeout(() => { voice.textContent = latest.filter(Boolean).join(". "); }, 50);
  }
});

document.addEventListener("pointerdown", (event) => {
  laidByHolding = false;
  const other = event.target.closest(".usual .card");
  if (!other || !counts(other)) return;
  held = setTimeout(() => {
    laidByHolding = true;
    if (navigator.vibrate) navigator.vibrate(25);
    choose(other, true);
  }, HELD_AFTER);
});
for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => clearTimeout(held));
document.addEventListener("contextmenu", (event) => { if (event.target.closest(".card")) event.preventDefault(); });

document.addEventListener("submit", (event) => {
  const field = event.target.querySelector("input");
  event.preventDefault();
  if (!counts(event.target.querySelector("[type=submit]"))) return;
  if (event.target.classList.contains("number")) {
    send({ choice: `number ${field.value}` }, field.value).then((counts) => { if (counts) field.value = ""; });
  } else if (!field.value.trim()) {
    field.value = "";
    field.reportValidity();
  } else send({ text: field.value.trim() }, field.value.trim()).then((counts) => { if (counts) field.value = ""; });
});

// ---- settings of this phone

for (const field of document.querySelectorAll(".settings [name]")) {
  const what = field.type === "checkbox" ? "checked" : "value";
  const before = kept(field.name);
  if (before !== null) field[what] = what === "checked" ? before === "true" : before;
  field.addEventListener("change", () => {
    kept(field.name, field[what]);
    light();
    speak();
    if (field.checked) signal(field.name.replace(/.*-/, ""));
  });
}

function light() {
  document.documentElement.dataset.light = kept("light") || "auto";
  document.querySelector("[name=theme-color]").content = getComputedStyle(body).backgroundColor;
}

// Tell the box who this phone is; the stream brings what follows. Return whether it is that now.
async function become(value) {
  const wanted = value.startsWith("seat ") ? { role: "seat", person: value.slice(5) } : { role: value };
  const reply = await fetch("/me", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(wanted),
  }).catch(() => null);
  const done = Boolean(reply && reply.ok);
  if (!done) say("tap", reply ? await reply.text() : said.lost);
  return done;
}

// Who became a scorer for a correction, or in a menu, is who they were before as soon as the table is seen again.
function asBefore() {
  const before = kept("before");
  kept("before", "");
  if (!before) return;
  become(before).then((done) => { // whose player is not there any more, says who they are
    if (!done && before.startsWith("seat ")) become("spectator");
  });
}

if (role) {
  role.addEventListener("change", () => {
    kept("before", "");
    become(role.value);
  });
}

// Letters go into the field of a name, wherever the focus is, as digits go into the score sheet.
document.addEventListener("keydown", (event) => {
  const field = document.querySelector(".writing input");
  if (!field || event.key.length !== 1 || event.key === " " || event.ctrlKey || event.altKey || event.metaKey) return;
  if (!event.target.matches("input, select, textarea")) field.focus();
});

// ---- start

light();
mine();
move();
document.querySelector("#scores").open = matchMedia("(min-width: 62rem)").matches;
typeFigures((answer, called, tell) => send(answer, called, null, tell), (sentence) => say("tap", sentence, true), fitNames);
showFigures();
follow("/table/events", show, (lost) => {
  say("lost", lost ? said.lost : "");
  body.classList.toggle("lost", lost);
}, { before });
