// Which revision of the protocol a message speaks (MCP 2026-07-28, versioning and Streamable HTTP). From 2026-07-28 on each request
// says it in its own `_meta` and mirrors it in a header; earlier ones agree on it once, in `initialize`, and repeat it in the header.
import { classifyInboundRequest, SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server"
import { INVALID, type Refusal, refusal } from "./refusal.ts"

/** The package names what it negotiates by `initialize`; the revision without it stands beside. */
const statelessRevision = "2026-07-28"
export const supportedVersions: ReadonlyArray<string> = [statelessRevision, ...SUPPORTED_PROTOCOL_VERSIONS]

/** Versions that `server/discover` names: a client that sends `_meta` can use no other. */
const discovered = [statelessRevision]

/** A client that sends no version speaks this one (MCP 2025-06-18, transports). It alone has batches. */
const assumedVersion = "2025-03-26"
const batchVersion = "2025-03-26"

/** Handshake of a request: `initialize` (legacy), or `_meta` in every request (modern). */
export type Era = "legacy" | "modern"

/** The headers that repeat what the body says. */
export interface StandardHeaders {
  readonly version: string | undefined
  readonly method: string | undefined
  readonly name: string | undefined
}

export interface Spoken {
  readonly _tag: "Spoken"
  readonly era: Era
  readonly version: string
}

/** The code that newer clients read to choose another version; older ones look at the status alone. */
const UNSUPPORTED_VERSION = -32022
export const HEADER_MISMATCH = -32020

const unknownVersion = (requested: string, supported = supportedVersions) =>
  refusal(400, UNSUPPORTED_VERSION, `Unsupported protocol version: ${JSON.stringify(requested.slice(0, 40))}.`, {
    supported,
    requested: requested.slice(0, 40)
  })

const isUnknown = (version: string | undefined): version is string =>
  version !== undefined && !supportedVersions.includes(version)

/** A body whose messages have the shape of JSON-RPC. */
export const spokenBy = (body: unknown, headers: StandardHeaders): Spoken | Refusal => {
  const classification = classifyInboundRequest({
    httpMethod: "POST",
    body,
    ...(headers.version === undefined ? {} : { protocolVersionHeader: headers.version }),
    ...(headers.method === undefined ? {} : { mcpMethodHeader: headers.method }),
    ...(headers.name === undefined ? {} : { mcpNameHeader: headers.name })
  })
  if (classification.kind === "reject" && (classification.code === HEADER_MISMATCH || !isUnknown(headers.version)))
    return refusal(classification.httpStatus, classification.code, classification.message, classification.data)
  if (classification.kind === "modern" && isUnknown(classification.classification.revision))
    return unknownVersion(classification.classification.revision, discovered)
  if (classification.kind === "modern") return { _tag: "Spoken", era: "modern", version: statelessRevision }
  // The params of initialize negotiate the version.
  if (classification.kind === "legacy" && classification.reason === "initialize")
    return { _tag: "Spoken", era: "legacy", version: assumedVersion }
  const version = headers.version?.trim() ?? assumedVersion
  if (isUnknown(version)) return unknownVersion(version)
  if (Array.isArray(body) && version !== batchVersion)
    return refusal(400, INVALID, `Protocol version ${version} has no batches; send one message at a time.`)
  return { _tag: "Spoken", era: "legacy", version }
}
