// Parses a text as an http or https address. The runtime normalizes a host in more than linear time (decisions P8). So a host longer than
// any that a name server knows (RFC 1035, 2.3.4) is rejected, also one written in escapes.

const HOST_AT_MOST = 512
const authority = /^https?:[\\/]*([^\\/?#]*)/i

export const webAddress = (text: string): URL | null => {
  const authorityText = authority.exec(text.replaceAll(/[\t\r\n]/g, ""))?.[1]
  if (authorityText === undefined || authorityText.length - (authorityText.lastIndexOf("@") + 1) > HOST_AT_MOST)
    return null
  return URL.parse(text)
}
