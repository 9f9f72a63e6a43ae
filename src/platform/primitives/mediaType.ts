// Type of a `Content-Type` (RFC 9110 8.3.1), in lower case and without its parameters, empty if there is none; and its classes.

export const mediaTypeOf = (contentType: string | undefined): string =>
  (contentType ?? "").split(";")[0]!.trim().toLowerCase()

const json: ReadonlySet<string> = new Set(["application/json", "text/json", "application/x-json", "text/x-json"])

/** True if a body of this type is one JSON value (RFC 8259, RFC 6839 3.1). */
export const isJsonType = (mediaType: string): boolean => json.has(mediaType) || mediaType.endsWith("+json")

export const isXmlType = (mediaType: string): boolean =>
  mediaType === "application/xml" || mediaType === "text/xml" || mediaType.endsWith("+xml")

const textTypes: ReadonlySet<string> = new Set([
  ...["application/javascript", "application/ecmascript", "application/x-javascript", "application/x-ndjson"],
  ...["application/ndjson", "application/jsonl", "application/json-seq", "application/yaml", "application/x-yaml"],
  ...["application/toml", "application/sql", "application/graphql", "application/x-www-form-urlencoded"],
  ...["application/csv", "application/rtf", "application/x-sh"]
])

/** True if people can read a body of this type. */
export const isTextType = (mediaType: string): boolean =>
  mediaType.startsWith("text/") || isJsonType(mediaType) || isXmlType(mediaType) || textTypes.has(mediaType)

const bytes = /^(?:image|audio|video|font|model)\//
const packed: ReadonlySet<string> = new Set([
  ...["application/pdf", "application/zip", "application/gzip", "application/x-gzip", "application/x-tar"],
  ...["application/x-7z-compressed", "application/vnd.rar", "application/x-bzip2", "application/zstd"],
  ...["application/msword", "application/wasm", "application/vnd.ms-excel", "application/vnd.ms-powerpoint"],
  ...["application/x-protobuf", "application/protobuf", "application/cbor", "application/msgpack", "application/avro"]
])

/** True if a body of this type is no text, whatever its bytes look like. */
export const isBinaryType = (mediaType: string): boolean =>
  !isTextType(mediaType) &&
  (bytes.test(mediaType) || packed.has(mediaType) || mediaType.startsWith("application/vnd.openxmlformats-"))
