// Addresses that entries of contacts and links hold (developer-api.md 3.2).
import { webAddress } from "../../../../platform/text/webAddress.ts"

export const isEmailAddress = (text: string): boolean =>
  /^[^\s@<>()",;:\\]+@[^\s@<>()",;:\\.]+(\.[^\s@<>()",;:\\.]+)*$/.test(text)

/** An http or https address. */
export const isLinkAddress = (text: string): boolean => /^https?:\/\//i.test(text) && webAddress(text) !== null
