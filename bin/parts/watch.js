// Watches over the embedded parts by what the service tells of them (decisions P12): one that has not worked for a while, although somebody
// looked all the time, is restarted. A machine that slept, or a service that says nothing, is no reason.

import { SettingsInvalid } from "./settings.js"

/** How many looks a verdict takes: under load a single one may fail. */
const LOOKS = 3
/** What was told longer ago (in looks) says nothing of now; and who has not looked for longer has slept. */
const STALE = 3

const MOST_SECONDS = 3_600

/**
 * How long a part may not work before it is restarted; 0: it never is. Throws where that is no number of seconds.
 * @param {Record<string, string>} env
 */
export const restartMillis = (env) => {
  const given = env["PART_RESTART_SECONDS"] ?? "30"
  const seconds = /^\d{1,4}$/.test(given) ? Number(given) : -1
  if (seconds < 0 || seconds > MOST_SECONDS)
    throw new SettingsInvalid([`PART_RESTART_SECONDS: expected a whole number from 0 to ${MOST_SECONDS}`])
  return seconds * 1000
}

/**
 * @typedef {object} Verdict of one part
 * @property {boolean} ok
 * @property {string} [detail]
 *
 * @typedef {object} Watched
 * @property {string} part as the service calls it
 * @property {(why: string) => Promise<void>} restart
 */

export class Watch {
  /** @type {Map<string, { at: number, verdicts: Record<string, Verdict> }>} by who tells */
  #told = new Map()
  /** @type {Map<string, { since: number, looks: number }>} parts that do not work */
  #failing = new Map()
  /** When somebody has told something last. */
  #heard
  /** When the last look was over. */
  #looked
  /** @type {Set<string>} parts that are being restarted */
  #restarting = new Set()

  /**
   * @param {object} options
   * @param {Watched[]} options.parts
   * @param {number} options.limitMillis without work for so long, a part is restarted
   * @param {() => number} options.now milliseconds that never go back
   * @param {() => Promise<Record<string, Verdict> | undefined>} options.ask a look of our own, where nobody has told anything
   */
  constructor(options) {
    this.options = options
    /** How often to look (ms). */
    this.every = options.limitMillis / 6
    this.#heard = options.now()
    this.#looked = this.#heard
  }

  /** What a process of the service says of the parts. @param {string} who @param {Record<string, Verdict>} verdicts */
  tell(who, verdicts) {
    this.#heard = this.options.now()
    this.#told.set(who, { at: this.#heard, verdicts })
  }

  /** Of several who have told, one that finds a part well is right: the others may be ill themselves. */
  async #verdicts() {
    const { ask, now } = this.options
    const fresh = [...this.#told.values()].filter(({ at }) => now() - at <= this.every * STALE)
    // It may be starting, or busy: only who has said nothing for long is asked for by a process of its own.
    if (fresh.length === 0) return now() - this.#heard < this.options.limitMillis ? {} : ((await ask()) ?? {})
    /** @type {Record<string, Verdict>} */
    const all = {}
    for (const { verdicts } of fresh)
      for (const [part, verdict] of Object.entries(verdicts)) if (all[part]?.ok !== true) all[part] = verdict
    return all
  }

  /** One look. */
  async look() {
    // Nobody has looked in between: the time that has passed was not the parts'.
    if (this.options.now() - this.#looked > this.every * STALE) this.#failing.clear()
    const verdicts = await this.#verdicts()
    this.#looked = this.options.now()
    for (const { part, restart } of this.options.parts) {
      const verdict = verdicts[part]
      if (verdict === undefined || this.#restarting.has(part)) continue
      const why = this.#judge(part, verdict)
      if (why === undefined) continue
      this.#restarting.add(part)
      restart(why).finally(() => {
        this.#restarting.delete(part)
        this.#failing.delete(part)
      })
    }
  }

  /** Why it is to be restarted. @param {string} part @param {Verdict} verdict */
  #judge(part, verdict) {
    const now = this.options.now()
    const known = this.#failing.get(part)
    if (verdict.ok) {
      this.#failing.delete(part)
      return undefined
    }
    const failing = known === undefined ? { since: now, looks: 1 } : { ...known, looks: known.looks + 1 }
    this.#failing.set(part, failing)
    if (failing.looks < LOOKS || now - failing.since < this.options.limitMillis) return undefined
    const seconds = Math.round((now - failing.since) / 1000)
    return `has not worked for ${seconds} s${verdict.detail === undefined ? "" : ` (${verdict.detail})`}`
  }
}
