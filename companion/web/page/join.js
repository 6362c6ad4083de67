import "/names.js";

// After a refusal this page is the answer to a form: back and reload ask for the page, and do not send the form again.
history.replaceState(null, "", "/join");
