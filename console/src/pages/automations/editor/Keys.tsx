// Every key of the editor, as `?` shows them.
import { Dialog } from "../../../ui/Dialog.tsx"
import { everywhereKeys, type KeyRow, KeyTable } from "../../../ui/Shortcuts.tsx"
import { commands } from "./commands.ts"

const commandKeys = Object.values(commands).map(({ keys, words }): KeyRow => [keys.replace("Arrow", ""), words])

const canvasKeys: ReadonlyArray<KeyRow> = [
  ["+", "Zoom in"],
  ["-", "Zoom out"],
  ["0", "Show the whole flow"],
  ["Space", "Held while dragging: pan over steps"]
]

export const Keys = ({ close }: { readonly close: () => void }) => (
  <Dialog title="Keyboard shortcuts" close={close}>
    <KeyTable title="Editor" rows={[...commandKeys, ...canvasKeys, ["@", "In a text: insert a value"]]} />
    <KeyTable title="Everywhere" rows={everywhereKeys} />
  </Dialog>
)
