// How many POSTs a process has in the air, shared by the apps that have any (decisions W1, W3). More than it can attend to in time would be
// counted as failures of receivers that had answered: so it takes less upon itself while a turn of its event loop is long, however slow they are.

/** A turn of the loop so long is too long: to connect and to answer takes several, of the 5 s there are (W1), and the process may soon be given less. */
const LONG_MILLIS = 150
const SHORT_MILLIS = 50
const BEAT_MILLIS = 50
const FIRST = 1_024
const LEAST = 64
const MOST = 65_536
const LESS = 0.7
const MORE = 1.1
/** However many apps there are, each may have so many. */
const LEAST_OF_APP = 16

export interface PostsInAir {
  readonly begins: (appId: number) => void
  readonly ended: (appId: number) => void
  /** How many of those wanted an app may add to what it has. */
  readonly room: (appId: number, wanted: number) => number
}

export const makePostsInAir = (long = LONG_MILLIS, short = SHORT_MILLIS): PostsInAir => {
  const own = new Map<number, number>()
  let all = 0
  let limit = FIRST
  let reached = false
  let beating = false

  const beat = (due: number): void => {
    beating = true
    setTimeout(() => {
      const late = performance.now() - due
      if (late > long) limit = Math.max(LEAST, Math.min(limit, all) * LESS)
      else if (reached && late < short) limit = Math.min(MOST, limit * MORE)
      reached = false
      beating = false
      if (all > 0) beat(performance.now() + BEAT_MILLIS)
    }, BEAT_MILLIS).unref()
  }

  const add = (appId: number, by: 1 | -1) => {
    const now = (own.get(appId) ?? 0) + by
    if (now > 0) own.set(appId, now)
    else own.delete(appId)
    all += by
  }

  return {
    begins: (appId) => {
      add(appId, 1)
      if (!beating) beat(performance.now() + BEAT_MILLIS)
    },
    ended: (appId) => add(appId, -1),
    room: (appId, wanted) => {
      const has = own.get(appId)
      const apps = own.size + (has === undefined ? 1 : 0)
      const room = Math.max(0, Math.max(LEAST_OF_APP, Math.floor(limit / apps)) - (has ?? 0))
      if (room < wanted) reached = true
      return Math.min(room, wanted)
    }
  }
}
