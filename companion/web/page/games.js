// Sends a game's file that is to be looked over or added, and shows what was found.

const text = document.querySelector("#text");
const look = document.querySelector("#look");
const add = document.querySelector("#add");
const wrong = document.querySelector("#wrong");
const told = document.querySelector("#told");
const picture = document.querySelector("#picture");

function show(found) {
  wrong.replaceChildren(...found.wrong.map((sentence) => Object.assign(document.createElement("li"), { textContent: sentence })));
  wrong.hidden = found.wrong.length === 0;
  told.textContent = found.told ?? "";
  picture.src = found.picture ?? "";
  for (const part of [told, picture, add]) part.hidden = !found.told;
}

async function send(path) {
  look.disabled = add.disabled = true;
  const reply = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ text: text.value }),
  }).catch(() => null);
  look.disabled = add.disabled = false;
  const found = reply?.ok ? await reply.json() : { wrong: [(await reply?.text()) ?? "–"] };
  show(found);
  return found.wrong.length === 0 ? found : null;
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
