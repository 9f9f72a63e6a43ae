// Options of a command of the clone, as its help describes them; ends the process for `--help`, and for what the command does not take.
import { parseArgs } from "node:util"

/**
 * @template {string} Name
 * @param {string} help text for `--help` and behind a refusal
 * @param {ReadonlyArray<Name>} names options that take a value
 * @param {boolean} [allowPositionals]
 */
export const commandLine = (help, names, allowPositionals = false) => {
  /** @param {string} message @returns {never} */
  const refuse = (message) => {
    console.error(`${message}\n\n${help}`)
    process.exit(2)
  }

  /** @param {string} name @param {string | undefined} given @param {number} otherwise */
  const wholeNumber = (name, given, otherwise) => {
    if (given === undefined) return otherwise
    if (!/^[1-9]\d{0,8}$/.test(given)) refuse(`--${name} takes a whole number from 1, not ${given}.`)
    return Number(given)
  }

  const read = () => {
    const options = Object.fromEntries(names.map((name) => [name, /** @type {const} */ ({ type: "string" })]))
    try {
      return parseArgs({ allowPositionals, options: { ...options, help: { type: "boolean", short: "h" } } })
    } catch (error) {
      return refuse(/** @type {Error} */ (error).message)
    }
  }
  const { positionals, values } = read()
  if (values["help"] === true) {
    console.log(help)
    process.exit(0)
  }
  return {
    positionals: /** @type {string[]} */ (positionals),
    refuse,
    values: /** @type {Partial<Record<Name, string>>} */ (values),
    wholeNumber
  }
}
