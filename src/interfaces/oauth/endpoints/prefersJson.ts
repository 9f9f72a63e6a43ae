// Tells if a request prefers JSON to a page (service.md 4.1; RFC 9110 12.5.1).
import Negotiator from "negotiator"

/** The page stands first: whoever takes both alike is a person. */
const answers = ["text/html", "application/json"]

export const prefersJson = (accept: string | undefined): boolean =>
  accept !== undefined && new Negotiator({ headers: { accept } }).mediaType(answers) === "application/json"
