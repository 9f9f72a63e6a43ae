// The person in front of the client: signs in and decides, by form posts or in a real Chromium.
import { Effect, Option } from "effect"
import { openBrowser } from "../../../src/platform/pdf/browser.ts"
import { BOUND } from "../../support/eventually.ts"
import { clicked, found, typeInto } from "../pages/waiting.ts"

export const EMAIL = "sailor@example.com"
export const PASSWORD = "correct horse battery"

const unescapeHtml = (text: string) =>
  text.replace(/&#(\d+);|&#x([0-9a-f]+);|&(amp|lt|gt|quot|apos);/gi, (_, dec, hex, name) =>
    name !== undefined
      ? { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }[name as "amp"]!
      : String.fromCodePoint(dec === undefined ? Number.parseInt(hex, 16) : Number(dec))
  )

const attribute = (tag: string, name: string) => {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]
  return value === undefined ? undefined : unescapeHtml(value)
}

/** The form that holds a field of this name: where it goes and what it carries already. */
const formWith = (html: string, field: string) => {
  const form = html.match(/<form[\s\S]*?<\/form>/g)?.find((one) => one.includes(`name="${field}"`)) ?? ""
  const inputs = [...form.matchAll(/<input[^>]*>/g)].map(([tag]) => tag)
  const carried = inputs.filter((tag) => /type="hidden"|\schecked/.test(tag))
  const members = carried.map((tag) => [attribute(tag, "name") ?? "", attribute(tag, "value") ?? ""] as const)
  return {
    action: attribute(form.slice(0, form.indexOf(">") + 1), "action") ?? "",
    members: Object.fromEntries(members)
  }
}

/** Approves with form posts alone, as a browser without JavaScript; the app's callback address. */
export const approveByForms = async (url: URL): Promise<URL> => {
  const jar = new Map<string, string>()
  const go = async (path: string, form?: Record<string, string>): Promise<{ url: URL; html: string }> => {
    const target = new URL(path, url)
    if (target.origin !== url.origin) return { url: target, html: "" }
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ")
    const init: RequestInit = { redirect: "manual", headers: { cookie } }
    if (form !== undefined) {
      init.method = "POST"
      init.body = new URLSearchParams(form)
    }
    const response = await fetch(target, init)
    for (const set of response.headers.getSetCookie()) {
      const [name = "", value = ""] = set.split(";")[0]!.split("=", 2)
      jar.set(name, value)
    }
    const location = response.headers.get("location")
    return location === null ? { url: target, html: await response.text() } : go(new URL(location, target).href)
  }
  const signIn = formWith((await go(url.href)).html, "password")
  const consentPage = await go(signIn.action, { ...signIn.members, email: EMAIL, password: PASSWORD })
  const consent = formWith(consentPage.html, "decision")
  const landing = await go(consent.action, { ...consent.members, decision: "approve" })
  if (landing.url.origin === url.origin) throw new Error(`no redirect to the app: ${landing.html.slice(0, 500)}`)
  return landing.url
}

/** Approves in Chromium; the callback address that it is sent to. */
export const approveInChromium = (url: URL): Promise<URL> =>
  Effect.runPromise(
    Effect.flatMap(openBrowser(Option.fromUndefinedOr(process.env["CHROMIUM_PATH"]), []), ({ browser }) =>
      Effect.promise(async () => {
        const page = await browser.newPage()
        page.setDefaultTimeout(BOUND)
        await page.goto(url.href, { waitUntil: "domcontentloaded" })
        await typeInto(page, "input[name=email]", EMAIL)
        await typeInto(page, "input[name=password]", PASSWORD)
        const allow = "button[name=decision][value=approve]"
        await Promise.all([found(page, allow), page.keyboard.press("Enter")])
        const [back] = await Promise.all([
          page.waitForRequest((one) => one.isNavigationRequest() && new URL(one.url()).origin !== url.origin),
          clicked(page, allow)
        ])
        return new URL(back.url())
      })
    ).pipe(Effect.scoped)
  )
