// docs/console.md, Administration; decisions O23: the audit log is told in words, each kind of event that the service writes in its own.
import { describe, expect, it } from "vitest"
import { auditSentences } from "../../../console/src/pages/admin/auditSentences.ts"
import { auditKinds as choices, detailsOf } from "../../../console/src/pages/admin/auditWords.ts"
import { auditKinds } from "../../../src/platform/audit/auditKinds.ts"

/** Kinds of no organization: only the operator reads them. */
const ofTheInstallation = ["client", "installation", "decide", "revoke", "introspect", "register", "metadata"]

describe("the audit log in words", () => {
  it("every kind of event has words of its own, and no words are of a kind that is never written", () => {
    expect(Object.keys(auditSentences).toSorted()).toEqual([...auditKinds].toSorted())
    expect(new Set(Object.values(auditSentences)).size).toBe(auditKinds.length)
  })

  it("every kind that an organization has can be chosen", () => {
    const subjects = new Set(auditKinds.map((kind) => kind.slice(0, kind.indexOf("."))))
    expect([...Object.keys(choices), ...ofTheInstallation].toSorted()).toEqual([...subjects].toSorted())
  })

  it("what is known of second steps is told without the words of the service", () => {
    const event = { details: { amr: ["pwd", "otp", "mfa"], method: "recovery_code", last: true, left: 3 } }
    expect(detailsOf(event, String)).toEqual([
      "with: password, code of an app, second step",
      "with: recovery code",
      "the last one: yes",
      "left: 3"
    ])
  })
})
