// Every key of the editor, as `?` shows them.
import { Dialog } from "../../../ui/Dialog.tsx"
import { commands } from "./commands.ts"

export const Keys = ({ close }: { readonly close: () => void }) => (
  <Dialog title="Keys" close={close}>
    <dl className="keys">
      {Object.values(commands).map(({ keys, words }) => (
        <div key={keys}>
          <dt>
            <kbd>{keys.replace("Arrow", "")}</kbd>
          </dt>
          <dd>{words}</dd>
        </div>
      ))}
      <div>
        <dt>
          <kbd>@</kbd>
        </dt>
        <dd>In a text: put in a value</dd>
      </div>
    </dl>
  </Dialog>
)
