// Limits the requests that views make by themselves while things change: a burst at first, then one a second. The budget of a person is two
// hundred plain requests a minute by default, for all pages and keys together (Developer API 1.6).
const AT_ONCE = 40
const EACH_SECOND = 1

/** All times in ms of one clock. */
export const makePace = () => {
  let budget = AT_ONCE
  let refilledAt = 0
  const refillBudget = (now: number) => {
    budget = Math.min(AT_ONCE, budget + ((now - refilledAt) / 1000) * EACH_SECOND)
    refilledAt = now
  }
  return {
    spend: (requests: number, now: number) => {
      refillBudget(now)
      budget -= requests
    },
    /** Milliseconds until requests may be made again. */
    wait: (now: number): number => {
      refillBudget(now)
      return budget >= 0 ? 0 : (-budget / EACH_SECOND) * 1000
    }
  }
}
