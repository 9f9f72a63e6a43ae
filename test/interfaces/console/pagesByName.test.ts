// docs/console.md, Search: the pages of the account and of the organization are found by their names and by the words that people search with.
import { describe, expect, it } from "vitest"

/** Loads a module of the console by a path that the server's type checks do not follow: it names types of a browser. */
const moduleOf = (path: string): Promise<any> => import(new URL(`../../../console/src/${path}`, import.meta.url).href)

interface Page {
  readonly title: string
  readonly to: string
}
interface Place {
  readonly text: string
  readonly to: string
}
type Role = "owner" | "admin" | "member" | "guest"
const { accountPlaces } = (await moduleOf("pages/account/places.ts")) as { accountPlaces: ReadonlyArray<Place> }
const { adminPlaces } = (await moduleOf("pages/admin/places.ts")) as { adminPlaces: ReadonlyArray<Place> }
const { pagesByName } = (await moduleOf("ui/search/pagesByName.ts")) as {
  pagesByName: (text: string, role: Role | undefined) => ReadonlyArray<Page>
}

const addressesOf = (text: string, role: Role = "owner") => pagesByName(text, role).map(({ to }) => to)

describe("pages in the search", () => {
  it("each page of the account and of the administration is found by its name, before others", () => {
    for (const { text, to } of [...accountPlaces, ...adminPlaces])
      expect(
        pagesByName(text.toUpperCase(), "owner")
          .filter(({ title }) => title === text)
          .map((page) => page.to)
      ).toContain(to)
  })

  it.each([
    ["2FA", ["/account/sign-in", "/admin/sign-in"]],
    ["two-factor", ["/account/sign-in", "/admin/sign-in"]],
    ["password", ["/account/sign-in", "/admin/sign-in"]],
    ["passkey", ["/account/sign-in", "/admin/sign-in"]],
    ["recovery codes", ["/account/sign-in"]],
    ["api key", ["/account/tokens"]],
    ["sign-in policy", ["/admin/sign-in"]],
    ["app policy", ["/admin/apps"]],
    ["audit log", ["/admin/audit"]],
    ["log out", ["/account", "/account/sessions"]],
    ["smtp", ["/admin/mail"]],
    ["invite", ["/admin/members"]],
    ["pass wor", []],
    ["?!", []]
  ])("%s", (text, expected) => {
    expect(addressesOf(text)).toEqual(expected)
  })

  it("pages that the role does not open are not found, and none before the role is known", () => {
    expect(addressesOf("2fa", "member")).toEqual(["/account/sign-in"])
    expect(addressesOf("members", "guest")).toEqual([])
    expect(pagesByName("2fa", undefined)).toEqual([])
  })

  it("there are five at most", () => {
    expect(addressesOf("a")).toHaveLength(5)
  })
})
