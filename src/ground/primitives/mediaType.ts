// The type alone of a `Content-Type` (RFC 9110 8.3.1): in lower case, without its parameters; empty where there is none.

export const mediaTypeOf = (contentType: string | undefined): string =>
  (contentType ?? "").split(";")[0]!.trim().toLowerCase()
