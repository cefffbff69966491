// The list as a tree: names are divided at colons.

const MARK = ':';

/** The start of the names of several filters, as long as they have in common; null for one filter. */
function folderOf(filters, start) {
  if (filters.length === 1) {
    return null;
  }
  const [{ name }] = filters;
  let folder = name.slice(0, start);
  for (let end = name.indexOf(MARK, start); end >= 0; end = name.indexOf(MARK, end + 1)) {
    const longer = name.slice(0, end + 1);
    if (!filters.every((each) => each.name.startsWith(longer))) {
      break;
    }
    folder = longer;
  }
  return folder;
}

/** The filters by the next part of their names, in their order. */
function parts(filters, start) {
  const groups = new Map();
  for (const filter of filters) {
    const end = filter.name.indexOf(MARK, start);
    const part = end < 0 ? filter.name : filter.name.slice(0, end + 1);
    groups.set(part, [...(groups.get(part) ?? []), filter]);
  }
  return [...groups.values()];
}

/**
 * The visible rows: a `folder` with its `filters`, or one `filter`, each with its `depth`.
 *
 * @param isOpen whether a folder shows its content
 */
export function treeOf(filters, isOpen, depth = 0, start = 0) {
  return parts(filters, start).flatMap((group) => {
    const folder = folderOf(group, start);
    if (folder === null) {
      return [{ filter: group[0], depth, start }];
    }
    const row = { folder, filters: group, depth, start, isOpen: isOpen(folder) };
    return row.isOpen ? [row, ...treeOf(group, isOpen, depth + 1, folder.length)] : [row];
  });
}
