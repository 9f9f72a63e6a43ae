// docs/console.md, Administration; decisions O23: the audit log is told in words, each kind of event that the service writes in its own.
import { describe, expect, it } from "vitest"
import { auditSearchIn } from "../../../console/src/pages/admin/auditSearch.ts"
import { auditSentences } from "../../../console/src/pages/admin/auditSentences.ts"
import { auditKinds as choices, detailsOf, sentenceOf } from "../../../console/src/pages/admin/auditWords.ts"
import { auditKinds } from "../../../src/platform/audit/auditKinds.ts"

/** Kinds of no organization: only the operator reads them. */
const ofTheInstallation = ["client", "installation", "decide", "revoke", "introspect", "register", "metadata"]

const noClient = { client_id: null, client_name: null }

const names = {
  user: (id: number) => `Person ${id}`,
  app: (id: number) => (id === 1 ? "Ships" : undefined),
  workspace: (id: number) => (id === 1 ? "Docks" : undefined)
}

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
    const event = { ...noClient, details: { amr: ["pwd", "otp", "mfa"], method: "recovery_code", last: true, left: 3 } }
    expect(detailsOf(event, names)).toEqual([
      "with: password, code of an app, second step",
      "with: recovery code",
      "the last one: yes",
      "left: 3"
    ])
  })

  it("a sentence names what was done to, for whom and by which admin; numbers have names where these are known", () => {
    const told = (event: string, details: Record<string, unknown>, client = noClient) => {
      const entry = { event, ...client, details }
      return [sentenceOf(entry, names), ...detailsOf(entry, names)]
    }
    const board = { client_id: "svc_oc_1", client_name: "Harbor Board" } as never
    expect(told("user.removed", { role: "admin", admin: 7 })).toEqual([
      "was removed from the organization, by Person 7",
      "role: admin"
    ])
    expect(told("workspace.created", { workspace_id: 1, name: "Docks" })).toEqual(["made a workspace: Docks"])
    expect(told("app_policy.user_blocked", { blocked_user_id: 3 }, board)).toEqual([
      "blocked an app for a person: Harbor Board, for Person 3"
    ])
    expect(told("person.factors_reset", { by: "admin", admin: 7, factors: 2 })).toEqual([
      "lost all second steps: they were reset, by Person 7",
      "how many: 2"
    ])
    expect(told("field.added", { app_id: 1, name: "Draft" })[1]).toBe("app: Ships")
    expect(told("app.deleted", { app_id: 2, name: "Crates" })).toEqual([
      "deleted an app with all that was in it: Crates",
      "app: No. 2"
    ])
    expect(told("automation.owner_changed", { owner: 4, former_owner: 5 })).toEqual([
      "was made the owner of an automation",
      "owner: Person 4",
      "owner before: Person 5"
    ])
  })

  it("the address narrows it by what is a kind, a person or a day, and by nothing else", () => {
    expect(auditSearchIn({})).toEqual({})
    const search = { event: "app_policy", user_id: 7, since: "2026-11-01", until: "2026-11-30" }
    expect(auditSearchIn({ ...search, before: 3 })).toEqual(search)
    expect(auditSearchIn({ event: "a b", user_id: -1, since: "yesterday", until: ["2026-11-30"] })).toEqual({})
  })
})
