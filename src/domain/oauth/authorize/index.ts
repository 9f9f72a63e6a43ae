// What is checked once client and redirect URI are trusted, in the order of service.md 7.1 (decisions O18).
import { firstRefusal } from "../check.ts"
import { challenge } from "./challenge.ts"
import { parameters } from "./parameters.ts"
import { resource } from "./resource.ts"
import { responseType } from "./responseType.ts"
import { scope } from "./scope.ts"

/** The first fault, which is what counts. */
export const faultOf = firstRefusal([parameters, responseType, challenge, scope, resource])
