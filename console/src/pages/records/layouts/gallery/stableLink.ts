// Links of files are signed anew with each answer. A picture keeps the link that it was shown with as long as that is good for a while, so
// that it is not loaded again with each change on the page.

const links = new Map<number, string>()
/** Milliseconds that a link is still good for. */
const LEAST_MILLIS = 120_000
const REMEMBERED = 5_000

const expiryOf = (link: string) => Number(new URL(link, location.href).searchParams.get("expires")) * 1000

export const stableLink = (fileId: number, link: string): string => {
  const knownLink = links.get(fileId)
  if (knownLink !== undefined && expiryOf(knownLink) - Date.now() > LEAST_MILLIS) return knownLink
  links.delete(fileId)
  links.set(fileId, link)
  const [oldest] = links.keys()
  if (links.size > REMEMBERED) links.delete(oldest!)
  return link
}
