// Watches over the embedded parts by the service's reports (decisions P12): a part that has not worked for a while, although it was checked
// all the time, is restarted. A machine that slept, or a service that reports nothing, is no reason.

import { SettingsInvalid } from "./settings.js"

/** Failed checks that a verdict takes: under load a single one may fail. */
const LOOKS = 3
/** Age (in checks) beyond which a report is outdated. A longer gap between checks means that the machine slept. */
const STALE = 3

const MOST_SECONDS = 3_600

/**
 * Time without work after which a part is restarted; 0: never. Throws if it is not a number of seconds.
 * @param {Record<string, string>} env
 */
export const restartMillis = (env) => {
  const secondsText = env["PART_RESTART_SECONDS"] ?? "30"
  const seconds = /^\d{1,4}$/.test(secondsText) ? Number(secondsText) : -1
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
  /** Time of the last report. */
  #heard
  /** Time of the last check's end. */
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
    /** Interval of the checks (ms). */
    this.every = options.limitMillis / 6
    this.#heard = options.now()
    this.#looked = this.#heard
  }

  /** Takes the report of a service process about the parts. @param {string} who @param {Record<string, Verdict>} verdicts */
  tell(who, verdicts) {
    this.#heard = this.options.now()
    this.#told.set(who, { at: this.#heard, verdicts })
  }

  /** Merges the recent reports: one that finds a part well is right, since the other processes may be unwell themselves. */
  async #verdicts() {
    const { ask, now } = this.options
    const recentReports = [...this.#told.values()].filter(({ at }) => now() - at <= this.every * STALE)
    // The service may be starting, or busy: a process of our own checks only after a long silence.
    if (recentReports.length === 0) return now() - this.#heard < this.options.limitMillis ? {} : ((await ask()) ?? {})
    /** @type {Record<string, Verdict>} */
    const verdictsByPart = {}
    for (const { verdicts } of recentReports)
      for (const [part, verdict] of Object.entries(verdicts))
        if (verdictsByPart[part]?.ok !== true) verdictsByPart[part] = verdict
    return verdictsByPart
  }

  /** Runs one check of all parts. */
  async look() {
    // Forgets earlier failures after a gap: nobody checked meanwhile, so the time does not count against the parts.
    if (this.options.now() - this.#looked > this.every * STALE) this.#failing.clear()
    const verdicts = await this.#verdicts()
    this.#looked = this.options.now()
    for (const { part, restart } of this.options.parts) {
      const partVerdict = verdicts[part]
      if (partVerdict === undefined || this.#restarting.has(part)) continue
      const why = this.#judge(part, partVerdict)
      if (why === undefined) continue
      this.#restarting.add(part)
      restart(why).finally(() => {
        this.#restarting.delete(part)
        this.#failing.delete(part)
      })
    }
  }

  /** Reason to restart the part, if any. @param {string} part @param {Verdict} verdict */
  #judge(part, verdict) {
    const nowMillis = this.options.now()
    const earlierFailure = this.#failing.get(part)
    if (verdict.ok) {
      this.#failing.delete(part)
      return undefined
    }
    const failing =
      earlierFailure === undefined
        ? { since: nowMillis, looks: 1 }
        : { ...earlierFailure, looks: earlierFailure.looks + 1 }
    this.#failing.set(part, failing)
    if (failing.looks < LOOKS || nowMillis - failing.since < this.options.limitMillis) return undefined
    const seconds = Math.round((nowMillis - failing.since) / 1000)
    return `has not worked for ${seconds} s${verdict.detail === undefined ? "" : ` (${verdict.detail})`}`
  }
}
