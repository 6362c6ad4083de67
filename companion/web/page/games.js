// Sends a game's file that is to be looked over or added, and shows what was found.

history.scrollRestoration = "manual"; // what was done is said at the top

const text = document.querySelector("#text");
const look = document.querySelector("#look");
const add = document.querySelector("#add");
const wrong = document.querySelector("#wrong");
const told = document.querySelector("#told");
const found = document.querySelector("#found");
const picture = document.querySelector("#picture");

function show(answer) {
  const sentences = answer.wrong.concat(answer.doubtful || []);
  wrong.textContent = "";
  wrong.append(...sentences.map((sentence) => Object.assign(document.createElement("li"), { textContent: sentence })));
  wrong.hidden = sentences.length === 0;
  told.textContent = answer.told || "";
  picture.src = answer.picture || "";
  for (const part of [told, picture, add]) part.hidden = !answer.told;
}

// Select a line from a column on, and show it near the lower edge of the text, beside what is said about it.
function select(line, column) {
  const lines = text.value.split("\n");
  const begin = lines.slice(0, line - 1).reduce((length, each) => length + each.length + 1, 0);
  const end = begin + (lines[line - 1] || "").length;
  text.focus({ preventScroll: true });
  text.setSelectionRange(Math.min(begin + column - 1, end), end);
  text.scrollTop = (text.scrollHeight * (line + 2)) / lines.length - text.clientHeight;
}

async function send(path) {
  look.disabled = add.disabled = true;
  const reply = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ text: text.value }),
  }).catch(() => null);
  look.disabled = add.disabled = false;
  const answer = reply && reply.ok ? await reply.json() : { wrong: [reply ? await reply.text() : "–"] };
  show(answer);
  if (answer.line) select(answer.line, answer.column);
  (answer.doubtful ? wrong : answer.told ? add : found).scrollIntoView({ block: "nearest" });
  return answer.wrong.length === 0 ? answer : null;
}

document.querySelector("#game").addEventListener("submit", (event) => {
  event.preventDefault();
  send("/games/look");
});

add.addEventListener("click", async () => {
  const added = await send("/games/add");
  if (added) location.assign(`/games?added=${added.name}`);
});

// what was looked over is no longer what stands there
text.addEventListener("input", () => show({ wrong: [] }));
