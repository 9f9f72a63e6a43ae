// Bounds the address that a sign-in leads to: a page of this service, never another host (open redirects, RFC 9700 4.11).

/** The path when it is a local one, else the start page. */
export const localPath = (next: string | undefined): string => {
  if (next === undefined || !/^\/(?![/\\])[\w\-./?=&%~]*$/.test(next)) return "/"
  const url = new URL(next, "http://local.invalid")
  // Dot segments may uncover a second slash: "/..//other.example".
  return url.host === "local.invalid" && !url.pathname.startsWith("//") ? url.pathname + url.search : "/"
}
