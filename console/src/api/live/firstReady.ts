// Holds the first requests of a page until its changes arrive, so that what they read need not be read again: whatever changes after the
// answer is an event. A stream that is slow to open holds nobody up for long; what was read before it opened is then read again.

const MOST_MILLIS = 1_000

let isOpen = false
let open = () => {}
const opening = new Promise<void>((resolve) => {
  open = resolve
})

/** Changes arrive, or will not for now. @returns true if requests may have been made before */
export const letRequestsBegin = (): boolean => {
  const wasOpen = isOpen
  isOpen = true
  open()
  return wasOpen
}

/** Before a request to the API. */
export const firstReady = async (): Promise<void> => {
  if (isOpen) return
  const timer = window.setTimeout(letRequestsBegin, MOST_MILLIS)
  await opening
  window.clearTimeout(timer)
}
