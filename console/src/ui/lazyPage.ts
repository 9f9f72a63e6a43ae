// A page whose code is loaded when it is first visited. Where that fails, the service is away, or a deploy has replaced the code: then the
// console is loaded anew, once.
import { lazyRouteComponent } from "@tanstack/react-router"
import { lazyPage as texts } from "../texts/ui/uiWords.ts"

const KEY = "millrace reloaded"

/** The code of a page did not come. */
export class PageMissing extends Error {
  readonly page: string
  constructor(page: string, cause: unknown) {
    super(texts.pageDidNotLoad, { cause })
    this.page = page
  }
}

/** Reloads, unless the last reload did not bring this page. @returns whether it does */
export const reloadOnce = ({ page }: PageMissing): boolean => {
  if (sessionStorage.getItem(KEY) === page) return false
  sessionStorage.setItem(KEY, page)
  location.reload()
  return true
}

export const lazyPage = <T extends Record<string, any>, K extends keyof T & string>(load: () => Promise<T>, name: K) =>
  lazyRouteComponent(async () => {
    try {
      const page = await load()
      if (sessionStorage.getItem(KEY) === name) sessionStorage.removeItem(KEY)
      return page
    } catch (cause) {
      throw new PageMissing(name, cause)
    }
  }, name)
