// Path of a request, and the part of it that may be logged (decisions P10, O9).

/** Path alone: no origin (a request target may be absolute, RFC 9112 3.2.2), no query. */
export const pathOf = (target: string) => {
  const start = target.startsWith("/") ? 0 : Math.max(0, target.indexOf("/", target.indexOf("://") + 3))
  const end = target.slice(start).search(/[?#]/)
  return end < 0 ? target.slice(start) : target.slice(start, start + end)
}

const credentialBegins = /\/api\/catch\/|\/trigger\/|^\/account\/password\/|^\/invitation\/|^\/sign-in\/demo\//

/** Path for logs and traces: addresses that are credentials themselves are hidden. */
export const loggable = (path: string) => {
  const credentialMatch = credentialBegins.exec(path)
  return credentialMatch === null ? path : `${path.slice(0, credentialMatch.index + credentialMatch[0].length)}…`
}
