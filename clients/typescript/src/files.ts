// Files with progress: uploads (developer-api.md 6), and downloads from the signed links that the API gives.
import { addressAt } from "./address.ts"
import { TransportError } from "./errors.ts"
import type { Api } from "./generated/types.ts"
import type { Transport } from "./transport.ts"

export type UploadedFile = Api["schemas"]["TemporaryFile"]

export interface Progress {
  /** Bytes of the request or of the answer until now. */
  readonly bytes: number
  /** Null where it is not known. */
  readonly total: number | null
}

export interface FileOptions {
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: Progress) => void
}

const countBytes = (
  stream: ReadableStream<Uint8Array>,
  total: number | null,
  onProgress: (progress: Progress) => void
) => {
  let bytes = 0
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      bytes += chunk.byteLength
      onProgress({ bytes, total })
      controller.enqueue(chunk)
    }
  })
  return stream.pipeThrough(count)
}

/** Members of a browser's XMLHttpRequest that this file uses: the rest of the client runs without one. */
interface Xhr {
  readonly upload: { onprogress: (event: { lengthComputable: boolean; loaded: number; total: number }) => void }
  readonly status: number
  readonly responseText: string
  onload: () => void
  onerror: () => void
  onabort: () => void
  readonly open: (method: string, url: URL) => void
  readonly setRequestHeader: (name: string, value: string) => void
  readonly getAllResponseHeaders: () => string
  readonly send: (form: FormData) => void
  readonly abort: () => void
}
const { XMLHttpRequest } = globalThis as unknown as { readonly XMLHttpRequest?: new () => Xhr }

/** A service worker has no XMLHttpRequest, and its fetch streams over HTTP/2 only: progress can tell only that the upload is complete. */
const isServiceWorker = "ServiceWorkerGlobalScope" in globalThis

/** Fetch tells nothing of an upload where this exists: browsers stream request bodies over HTTP/2 alone. */
const byXhr = (
  url: URL,
  token: string | null,
  form: FormData,
  { onProgress, signal }: FileOptions
): Promise<Response> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest!()
    request.open("POST", url)
    if (token !== null) request.setRequestHeader("Authorization", `Bearer ${token}`)
    request.upload.onprogress = ({ lengthComputable, loaded, total }) =>
      onProgress!({ bytes: loaded, total: lengthComputable ? total : null })
    request.onload = () => {
      const headers = new Headers()
      for (const headerLine of request.getAllResponseHeaders().trim().split("\r\n")) {
        const colon = headerLine.indexOf(":")
        if (colon > 0) headers.append(headerLine.slice(0, colon), headerLine.slice(colon + 1).trim())
      }
      resolve(new Response(request.responseText, { status: request.status, headers }))
    }
    request.onerror = () => reject(new TransportError(`POST ${url.pathname}: the connection failed`))
    request.onabort = () => reject(signal?.reason)
    signal?.addEventListener("abort", () => request.abort(), { once: true })
    request.send(form)
  })

/** Bytes of an upload's body: the form around the file is equally long for any file. */
const encodedSize = async (file: Blob, name: string): Promise<number> => {
  const emptyForm = new FormData()
  emptyForm.append("file", new Blob([], { type: file.type }), name)
  return (await new Response(emptyForm).arrayBuffer()).byteLength + file.size
}

/** Its `file_id` is what a record, a comment or a reply takes within a day. @throws ApiError, TransportError */
export const uploadFile = async (
  transport: Transport,
  file: Blob,
  { name, ...options }: FileOptions & { readonly name: string }
): Promise<UploadedFile> => {
  const form = new FormData()
  form.append("file", file, name)
  const url = addressAt(transport.baseUrl, "/v1/file/upload")
  const { onProgress, signal = null } = options
  const sendWhole = () => transport.send(url, { method: "POST", body: form, signal, unlimited: true })
  const sendCounted = async (told: (progress: Progress) => void) => {
    if (XMLHttpRequest !== undefined) return byXhr(url, await transport.credentials.token(), form, options)
    const total = await encodedSize(file, name)
    if (isServiceWorker) {
      const response = await sendWhole()
      told({ bytes: total, total })
      return response
    }
    const encoded = new Response(form)
    const headers = { "Content-Type": encoded.headers.get("Content-Type")! }
    const body = countBytes(encoded.body!, total, told)
    const init = { method: "POST", body, headers, signal, unlimited: true, duplex: "half" }
    return transport.send(url, init as RequestInit)
  }
  const response = await (onProgress === undefined ? sendWhole() : sendCounted(onProgress))
  if (!response.ok) throw await transport.errorOf(response)
  return response.json() as Promise<UploadedFile>
}

/** Downloads the content at the `link` or `download_url` of a file. @throws ApiError, TransportError */
export const downloadFile = async (
  transport: Transport,
  link: string,
  options: FileOptions = {}
): Promise<Response> => {
  const { onProgress, signal = null } = options
  const response = await transport.send(new URL(link, transport.baseUrl), { open: true, signal, unlimited: true })
  if (!response.ok) throw await transport.errorOf(response)
  if (onProgress === undefined || response.body === null) return response
  const length = Number(response.headers.get("Content-Length") ?? Number.NaN)
  const total = Number.isFinite(length) && !response.headers.has("Content-Encoding") ? length : null
  return new Response(countBytes(response.body, total, onProgress), response)
}
