// Gives somebody a file that was made here.

/** Controls, bidirectional marks and what file systems refuse. */
const UNFIT = /[\p{Cc}\p{Bidi_Control}\u2028\u2029<>:"/\\|?*]/gu

export const download = (name: string, parts: ReadonlyArray<string>, type = "text/csv;charset=utf-8") => {
  const url = URL.createObjectURL(new Blob([...parts], { type }))
  const link = document.createElement("a")
  link.href = url
  link.download = name.replaceAll(UNFIT, "").trim() || "export.csv"
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
