use super::*;

fn open(folder: &Path) -> Result<Store, StateError> {
    Store::open(folder, NodeId(3), "fleet", || Memory::new(NodeId(3), 77, true, 0))
}

/// A change like any other, with a number in it.
fn change(number: u64) -> Change {
    Change { forgotten: number, ..Change::default() }
}

fn damage(folder: &Path, at: usize) {
    let path = folder.join(FILE);
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[at] ^= 1;
    std::fs::write(&path, bytes).unwrap();
}

fn refused(folder: &Path) -> String {
    let before = std::fs::read(folder.join(FILE)).unwrap();
    let error = open(folder).expect_err("it is refused");
    assert_eq!(std::fs::read(folder.join(FILE)).unwrap(), before, "nothing was changed");
    error.to_string()
}

#[test]
fn what_is_saved_is_there_the_next_time() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = open(folder.path()).unwrap();
    assert_eq!(store.memory(), &Memory::new(NodeId(3), 77, true, 0));
    (1..=3).for_each(|k| store.save(&change(k)).unwrap());
    let memory = store.memory().clone();
    assert_eq!(memory.links.forgotten, 3);
    drop(store);
    let store = Store::open(folder.path(), NodeId(3), "fleet", || panic!("it is there")).unwrap();
    assert_eq!(store.memory(), &memory);
}

#[test]
fn one_node_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let error = open(folder.path()).expect_err("it is in use").to_string();
    assert!(error.contains("in use by another node"), "{error}");
    drop(store);
    assert!(open(folder.path()).is_ok());
}

/// Cut short at every byte: the last change may be one that was being written, the others not.
#[test]
fn an_end_that_is_missing_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = open(folder.path()).unwrap();
    let first = store.length;
    (1..=3).for_each(|k| store.save(&change(k)).unwrap());
    drop(store);
    let path = folder.path().join(FILE);
    let whole = std::fs::read(&path).unwrap();
    for length in 0..whole.len() {
        std::fs::write(&path, &whole[..length]).unwrap();
        let error = refused(folder.path());
        assert!(error.contains("is damaged"), "{length}: {error}");
    }
    // The power failed before the count was on disk: then the last one may not count.
    for length in first as usize..whole.len() {
        let mut bytes = whole[..length].to_vec();
        let at = Head::COUNT as usize;
        bytes[at..at + 12].copy_from_slice(&Head::count(1));
        std::fs::write(&path, bytes).unwrap();
        let store = open(folder.path()).unwrap();
        assert!(store.memory().links.forgotten < 3 && store.length <= length as u64);
    }
}

#[test]
fn every_flipped_bit_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = open(folder.path()).unwrap();
    (1..=3).for_each(|k| store.save(&change(k)).unwrap());
    let length = store.length as usize;
    drop(store);
    for at in 0..length {
        damage(folder.path(), at);
        let error = refused(folder.path());
        assert!(error.contains("is damaged") || error.contains("is the state of"), "{at}: {error}");
        damage(folder.path(), at);
    }
    assert!(open(folder.path()).is_ok());
}

#[test]
fn the_file_of_another_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    drop(open(folder.path()).unwrap());
    let other = |id, network| {
        let begin = || panic!("it is there");
        Store::open(folder.path(), NodeId(id), network, begin).expect_err("foreign").to_string()
    };
    assert!(other(4, "fleet").contains("is the state of node 3 of network fleet"));
    assert!(other(3, "swarm").contains("is the state of node 3 of network of another name"));
    std::fs::write(folder.path().join(FILE), [b'x'; 100]).unwrap();
    assert!(refused(folder.path()).contains("it is no state file"));
}

#[test]
fn a_file_that_has_grown_is_written_anew() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = open(folder.path()).unwrap();
    let kept = vec![(1, vec![7; 1000])];
    let link = |epoch| driftlock_link::Remembered {
        memory: 1,
        epoch,
        role: driftlock_core::LinkRole::Moving,
        received: Some(0),
        kept: kept.clone(),
        late: Vec::new(),
    };
    for k in 0..1500 {
        let links = vec![(NodeId(1), Some(link(k)))];
        store.save(&Change { links, ..Change::default() }).unwrap();
    }
    assert!(store.length < ANEW, "{}", store.length);
    let memory = store.memory().clone();
    drop(store);
    assert_eq!(open(folder.path()).unwrap().memory(), &memory);
}

/// A disk that is full, and then is not.
#[test]
fn what_could_not_be_saved_can_be_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = open(folder.path()).unwrap();
    let writable = store.file.try_clone().unwrap();
    store.file = File::open(folder.path().join(FILE)).unwrap();
    assert!(store.save(&change(1)).is_err());
    assert_eq!(store.memory().links.forgotten, 0);
    writable.write_all_at(b"half a change", store.length).unwrap();
    store.file = writable;
    store.save(&change(2)).unwrap();
    drop(store);
    assert_eq!(open(folder.path()).unwrap().memory().links.forgotten, 2);
}
