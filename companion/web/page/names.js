// Says beside the field at once that a name is too long. It is not sent before it fits; nothing that was typed is lost.

const LONGEST = 20; // letters as people count them: an emoji is one
const letters = Intl.Segmenter && new Intl.Segmenter(); // without it, only the box says so

function check(event) {
  const field = event.target;
  const sentence = field.dataset.tooLong;
  if (!sentence || !letters || event.isComposing) return; // kana being converted are not the name yet
  const long = [...letters.segment(field.value.trim().normalize("NFC"))].length > LONGEST;
  field.setCustomValidity(long ? sentence : "");
  if (long) field.reportValidity();
}

document.addEventListener("input", check);
document.addEventListener("compositionend", check);
