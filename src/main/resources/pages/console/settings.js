// Actions on a filter as a whole.

import { clear, expire, keep, merge } from './actions.js';
import { html, nothing } from './lit.js';
import { copy, exportFile, importFile, remove, rename } from './moves.js';
import { button } from './parts.js';

const setting = (title, text, buttons, needs = 'admin') => html`
  <div class="setting" data-needs=${needs}>
    <div><h3>${title}</h3><p class="hint">${text}</p></div>
    <div class="buttons">${buttons}</div>
  </div>`;

/** Actions that need a working filter are disabled for a damaged one. */
export function settingsCard(filter, isWhole) {
  const whole = { isOff: !isWhole };
  const expires = Boolean(filter?.expiresAt ?? filter?.idleSeconds);
  const alone = { isOff: !isWhole || Boolean(filter?.rebuild) };
  return html`
    <section class="card" aria-labelledby="settings-heading">
      <h2 id="settings-heading" class="hidden">Settings</h2>
      <p class="note" data-lacks="admin">Changing a whole filter requires a key with the admin role.</p>
      <div class="settings">
        ${setting('Expiry', 'An expired filter is deleted with all its elements.', [
          button('expire', expires ? 'Change …' : 'Set …', expire, whole),
          button('keep', 'Remove …', keep, { isHidden: !expires })])}
        ${setting('Name', 'Clients must switch to the new name immediately. Elements and expiry stay.', button('rename', 'Rename …', rename, whole))}
        ${setting('Copy', 'Creates another filter of the same size with the same elements.', button('copy', 'Copy …', copy, whole))}
        ${filter?.counting ? nothing : setting('Merge', 'Adds the elements of other filters with the same size and hash scheme.', button('merge', 'Merge …', merge, alone))}
        ${setting('Export', 'Saves the filter as one file.', button('export', 'Export …', exportFile, whole), 'follower')}
        ${setting('Import', 'Replaces the content and parameters from a file.', button('import', 'Import …', importFile))}
        ${setting('Clear', 'Deletes all elements. Parameters and expiry stay.', button('clear', 'Clear …', clear, { ...alone, kind: 'danger' }))}
        ${setting('Delete', 'Deletes the filter with all its elements.', button('delete', 'Delete …', remove, { kind: 'danger' }))}
      </div>
    </section>`;
}
