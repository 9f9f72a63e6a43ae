// Every key of the editor, as `?` shows them.

import { keys as texts } from "../../../texts/automations/editorSteps.ts"
import { Dialog } from "../../../ui/Dialog.tsx"
import { everywhereKeys, type KeyRow, KeyTable } from "../../../ui/Shortcuts.tsx"
import { commands } from "./commands.ts"

const commandKeys = Object.values(commands).map(({ keys, words }): KeyRow => [keys.replace("Arrow", ""), words])

const canvasKeys: ReadonlyArray<KeyRow> = [
  ["+", texts.zoomIn],
  ["-", texts.zoomOut],
  ["0", texts.showTheWholeFlow],
  ["Space", texts.heldWhileDragging]
]

export const Keys = ({ close }: { readonly close: () => void }) => (
  <Dialog title={texts.keyboardShortcuts} close={close}>
    <KeyTable title={texts.editor} rows={[...commandKeys, ...canvasKeys, ["@", texts.inAText]]} />
    <KeyTable title={texts.everywhere} rows={everywhereKeys} />
  </Dialog>
)
