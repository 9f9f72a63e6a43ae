// Limits the requests that views make by themselves while things change: a burst at first, then one a second. The budget of a person is two
// hundred plain requests a minute by default, for all pages and keys together (Developer API 1.6).
const AT_ONCE = 40
const EACH_SECOND = 1

/** All times in ms of one clock. */
export const makePace = () => {
  let left = AT_ONCE
  let looked = 0
  const look = (now: number) => {
    left = Math.min(AT_ONCE, left + ((now - looked) / 1000) * EACH_SECOND)
    looked = now
  }
  return {
    spend: (requests: number, now: number) => {
      look(now)
      left -= requests
    },
    /** Milliseconds until requests may be made again. */
    wait: (now: number): number => {
      look(now)
      return left >= 0 ? 0 : (-left / EACH_SECOND) * 1000
    }
  }
}
