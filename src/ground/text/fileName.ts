// The names of files that come from outside (decisions O8): one place for uploads, received files, answers of other servers and what steps
// make. A name is shown beside the content that it promises, so that nothing of it may turn it round, hide a part of it or lead elsewhere.

/** Bidirectional marks and what is drawn as nothing; joiners and variation selectors stay, since letters and emoji need them. */
const hidden =
  /(?!\p{Join_Control}|\p{Variation_Selector})[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu
/** Controls, and what separates folders. */
const blank = /[\p{Cc}/\\]+/gu
const LONGEST = 255
/** Kept where a name is cut. */
const extension = /\.[a-z0-9]{1,12}$/i

const cut = (name: string): string => {
  if (name.length <= LONGEST) return name
  const end = extension.exec(name)?.[0] ?? ""
  // Half a letter at the cut is none.
  return `${name.slice(0, LONGEST - end.length).replace(/[\ud800-\udbff]$/, "")}${end}`
}

/** A name that files may have: what was sent without what deceives; the fallback where nothing is left. */
export const fileName = (sent: string, fallback = "file"): string => {
  const name = sent.toWellFormed().replaceAll(hidden, "").replaceAll(blank, " ").trim()
  return /^\.{0,2}$/.test(name) ? fallback : cut(name)
}

/** The last part of a path. */
export const baseName = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1)
