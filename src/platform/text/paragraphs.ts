// Plain text as the HTML that fields and comments hold: nothing of it becomes markup.

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" }

/** A paragraph for each line. */
export const htmlOf = (text: string): string =>
  text
    .trim()
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "")
    .map((line) => `<p>${line.replace(/[&<>]/g, (sign) => escapes[sign]!)}</p>`)
    .join("")
