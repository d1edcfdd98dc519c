mod lists;
mod objects;
