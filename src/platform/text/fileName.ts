// Cleans the names of files that come from outside (decisions O8): uploads, received files, answers of other servers and files that steps
// make. A name is shown next to the content that it promises, so it must not reverse the text, hide a part of it or lead to another folder.

/** Bidirectional marks and invisible characters; joiners and variation selectors stay, since letters and emoji need them. */
const hiddenCharacters =
  /(?!\p{Join_Control}|\p{Variation_Selector})[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu
/** Control characters, and separators of folders. */
const blank = /[\p{Cc}/\\]+/gu
const LONGEST = 255
/** Extension, kept where a name is cut. */
const extension = /\.[a-z0-9]{1,12}$/i

const cut = (name: string): string => {
  if (name.length <= LONGEST) return name
  const end = extension.exec(name)?.[0] ?? ""
  // Removes half a surrogate pair at the cut.
  return `${name.slice(0, LONGEST - end.length).replace(/[\ud800-\udbff]$/, "")}${end}`
}

/** Valid file name: the sent one without deceptive characters; the fallback if nothing is left. */
export const fileName = (sent: string, fallback = "file"): string => {
  const name = sent.toWellFormed().replaceAll(hiddenCharacters, "").replaceAll(blank, " ").trim()
  return /^\.{0,2}$/.test(name) ? fallback : cut(name)
}

/** Last part of a path. */
export const baseName = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1)
