throw new Error('This optional dependency is not part of Lore.');
