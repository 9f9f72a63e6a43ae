// When the next attempt of a step may begin (developer-api.md 7.13 `retry.window`): within a day, across midnight, on some days, through
// clock changes.
import { assert, describe, it } from "@effect/vitest"
import { inWindow } from "../../../../src/domain/automations/run/retryWindow.ts"
import type { RetryWindow } from "../../../../src/domain/automations/schema/RetryPolicy.ts"

const beginsAt = (window: RetryWindow, zone: string, at: string) =>
  new Date(inWindow(window, zone, Date.parse(`${at.replace(" ", "T")}Z`))).toISOString().slice(0, 16).replace("T", " ")

const office: RetryWindow = { from: "08:00", to: "18:00" }

describe("the window of a retry (7.13)", () => {
  it("an attempt within it is made at once, another waits until it opens", () => {
    for (const [at, expected] of [
      ["2026-05-04 06:00", "2026-05-04 06:00"],
      ["2026-05-04 05:59", "2026-05-04 06:00"],
      ["2026-05-04 15:59", "2026-05-04 15:59"],
      ["2026-05-04 16:00", "2026-05-05 06:00"],
      ["2026-05-04 23:00", "2026-05-05 06:00"]
    ] as const)
      assert.strictEqual(beginsAt(office, "Europe/Vienna", at), expected, at)
  })

  it("across midnight it is open on two days, and belongs to the one on which it opens", () => {
    const night: RetryWindow = { from: "22:00", to: "04:00" }
    assert.strictEqual(beginsAt(night, "UTC", "2026-05-04 03:59"), "2026-05-04 03:59")
    assert.strictEqual(beginsAt(night, "UTC", "2026-05-04 04:00"), "2026-05-04 22:00")
    assert.strictEqual(beginsAt(night, "UTC", "2026-05-04 23:30"), "2026-05-04 23:30")
    const friday: RetryWindow = { ...night, week_days: ["friday"] }
    assert.strictEqual(beginsAt(friday, "UTC", "2026-05-09 03:00"), "2026-05-09 03:00")
    assert.strictEqual(beginsAt(friday, "UTC", "2026-05-09 05:00"), "2026-05-15 22:00")
    const untilMidnight: RetryWindow = { from: "08:00", to: "00:00" }
    assert.strictEqual(beginsAt(untilMidnight, "UTC", "2026-05-04 23:59"), "2026-05-04 23:59")
    assert.strictEqual(beginsAt(untilMidnight, "UTC", "2026-05-05 00:00"), "2026-05-05 08:00")
  })

  it("on its days of the week alone; none means every day", () => {
    const weekdays: RetryWindow = { ...office, week_days: ["monday", "tuesday", "wednesday", "thursday", "friday"] }
    assert.strictEqual(beginsAt(weekdays, "UTC", "2026-05-08 18:00"), "2026-05-11 08:00")
    assert.strictEqual(beginsAt({ ...office, week_days: [] }, "UTC", "2026-05-08 18:00"), "2026-05-09 08:00")
  })

  it("keeps to the clock of the zone through clock changes", () => {
    // Vienna: 2026-03-29 has no 02:00 to 03:00, 2026-10-25 has it twice.
    assert.strictEqual(beginsAt(office, "Europe/Vienna", "2026-03-28 18:00"), "2026-03-29 06:00")
    assert.strictEqual(beginsAt(office, "Europe/Vienna", "2026-10-24 18:00"), "2026-10-25 07:00")
    const missing: RetryWindow = { from: "02:15", to: "02:45" }
    assert.strictEqual(beginsAt(missing, "Europe/Vienna", "2026-03-28 12:00"), "2026-03-30 00:15")
    const inTheGap: RetryWindow = { from: "02:30", to: "03:30" }
    assert.strictEqual(beginsAt(inTheGap, "Europe/Vienna", "2026-03-28 12:00"), "2026-03-29 01:00")
    assert.strictEqual(beginsAt(inTheGap, "Europe/Vienna", "2026-10-24 12:00"), "2026-10-25 00:30")
    // The only day on which it would open leaves it out: a week later.
    assert.strictEqual(
      beginsAt({ ...missing, week_days: ["sunday"] }, "Europe/Vienna", "2026-03-28 12:00"),
      "2026-04-05 00:15"
    )
  })
})
