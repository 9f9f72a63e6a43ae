// What Chromium has printed, read piece by piece, up to a bound (decisions A22: it is held by a process that is everybody's).

export const PDF_MB = 50

/** `undefined`: there are more than `most`; the rest is not read. */
export const bytesOf = async (
  stream: ReadableStream<Uint8Array>,
  most = PDF_MB * 1_000_000
): Promise<Uint8Array | undefined> => {
  const pieces: Array<Uint8Array> = []
  let size = 0
  for await (const piece of stream) {
    size += piece.byteLength
    if (size > most) return undefined
    pieces.push(piece)
  }
  return new Uint8Array(Buffer.concat(pieces))
}
