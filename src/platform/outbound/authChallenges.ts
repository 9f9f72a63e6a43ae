// Parses `WWW-Authenticate` (RFC 9110 11.6.1): several challenges in one header, each with its parameters. Reads leniently and in one pass,
// since the server is not trusted.
import { elementEnd } from "../primitives/headerParameters.ts"

export interface AuthChallenge {
  /** Name of the scheme in lower case. */
  readonly scheme: string
  /** Values by name in lower case; the first of each name counts. */
  readonly parameters: ReadonlyMap<string, string>
}

/** Most parts of a header that are read. */
const PARTS_AT_MOST = 200

const partsOf = (header: string): ReadonlyArray<string> => {
  const parts: Array<string> = []
  for (let from = 0; from < header.length && parts.length < PARTS_AT_MOST; ) {
    const end = elementEnd(header, from)
    parts.push(header.slice(from, end).trim())
    from = end + 1
  }
  return parts.filter((part) => part !== "")
}

const unquoted = (text: string): string =>
  text.length >= 2 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1).replaceAll(/\\(.)/g, "$1") : text

/** Word before the first blank, unless that blank stands around a parameter's `=`. */
const schemeOf = (part: string): string | undefined => {
  const end = part.search(/[\s=]/)
  if (end < 0) return part
  return part[end] === "=" || part.slice(end).trimStart().startsWith("=") ? undefined : part.slice(0, end)
}

export const authChallenges = (header: string | undefined): ReadonlyArray<AuthChallenge> => {
  const challenges: Array<{ readonly scheme: string; readonly parameters: Map<string, string> }> = []
  for (const part of partsOf(header ?? "")) {
    const scheme = schemeOf(part)
    if (scheme !== undefined) challenges.push({ scheme: scheme.toLowerCase(), parameters: new Map() })
    const parameter = part.slice(scheme?.length ?? 0).trim()
    const equals = parameter.indexOf("=")
    const name = parameter.slice(0, Math.max(0, equals)).trim().toLowerCase()
    const parameters = challenges.at(-1)?.parameters
    if (name !== "" && parameters?.has(name) === false)
      parameters.set(name, unquoted(parameter.slice(equals + 1).trim()))
  }
  return challenges
}
