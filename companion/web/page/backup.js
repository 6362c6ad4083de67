// Sends a backup that is to be looked over.

const form = document.querySelector("#look");
const why = document.querySelector("#why");

if (form) form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const [file] = document.querySelector("#file").files;
  const button = form.querySelector("button");
  button.disabled = true;
  const reply = await fetch("/backup/look", {
    method: "POST",
    headers: { "Content-Type": "application/zip" },
    body: file,
  }).catch(() => null);
  button.disabled = false;
  const told = reply && (reply.ok ? (await reply.json()).why : await reply.text());
  if (told === "") location.replace("/backup");
  why.textContent = told || "";
  why.hidden = !told;
});
