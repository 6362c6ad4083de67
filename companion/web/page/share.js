// Shares a text by the phone's own dialogue; over http, where there is none, copies it. Tells whether it was copied.

export async function share(text) {
  if (navigator.share) {
    await navigator.share({ text }).catch(() => {});
    return false;
  }
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  return copied;
}
